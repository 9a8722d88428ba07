/** A host for one agent's connection, played by a test: what is open, what was proposed, how calls end. */
import type { Json } from '../../../src/protocol/messages.ts';
import { tickUpdate } from '../../../src/rpc/api/agent.ts';
import type { CallReport } from '../../../src/rpc/api/calls.ts';
import type { Outlet } from '../../../src/rpc/api/connection.ts';
import { RpcError } from '../../../src/rpc/api/errors.ts';
import { agentApi } from '../../../src/rpc/api/index.ts';
import type { Instance } from '../../../src/rpc/api/instances.ts';
import type { Params } from '../../../src/rpc/api/message.ts';
import { Client } from '../../../src/rpc/client.ts';
import { serve } from '../../../src/rpc/server.ts';
import { streamPair } from '../../../src/rpc/socket.ts';
import { instanceSummary } from '../../support/instance-summary.ts';

export interface Proposal extends Params<typeof agentApi.tickCall> {
  /** The agent gave it up, or its connection ended. */
  withdrawn: boolean;
  settle(report: Partial<CallReport> & Pick<CallReport, 'state'>): void;
  refuse(error: RpcError): void;
}

interface Program {
  kind: string | undefined;
  status: Instance['status'];
  seq: number;
  data: Json;
}

export class FakeHost {
  readonly client: Client;
  readonly proposals: Proposal[] = [];
  readonly subscribed = new Set<string>();
  readonly programs = new Map<string, Program>();
  greeting: Params<typeof agentApi.hello> | undefined;
  closed = false;
  lists = 0;
  #outlet: Outlet | undefined;

  constructor() {
    const [ours, theirs] = streamPair();
    serve(ours, agentApi, (outlet) => {
      this.#outlet = outlet;
      return { handlers: this.#handlers(), closed: () => this.#close() };
    });
    this.client = new Client(theirs);
  }

  open(instance: string, kind: string, data: Json, status: Instance['status'] = 'running'): void {
    this.programs.set(instance, { kind, status, seq: 1, data });
  }

  update(instance: string, data: Json): void {
    const program = this.#program(instance);
    program.data = data;
    program.seq += 1;
    if (!this.subscribed.has(instance)) return;
    this.#outlet?.notify(tickUpdate, { instance, seq: program.seq, data, merged: 1, interval_ms: 1000 });
  }

  end(instance: string): void {
    this.#program(instance).status = 'ended';
    this.subscribed.delete(instance);
    this.#outlet?.notify(tickUpdate, { instance, merged: 0, interval_ms: 1000, ended: 'it exited with 0.' });
  }

  hangUp(): void {
    this.#outlet?.close();
  }

  #close(): void {
    this.closed = true;
    for (const proposal of this.proposals) proposal.withdrawn = true;
  }

  #program(instance: string): Program {
    const program = this.programs.get(instance);
    if (!program) throw new RpcError('notFound', `There is no ${instance}.`);
    return program;
  }

  #handlers() {
    return {
      hello: (params: Params<typeof agentApi.hello>) => {
        this.greeting = params;
        return {
          host: { name: 'tickmux' as const, version: '0' },
          protocol: 1,
          session: 'test',
          agent: 'agent:1',
          resumed: false,
          resume: 'secret',
          limits: { line_bytes: 1, waiting_calls: 1, wait_ms: 1, expires_s: 1 },
        };
      },
      tickDescribe: (): never => {
        throw new RpcError('refused', 'Not here.');
      },
      tickRead: ({ instance }: { instance: string }) => {
        const { seq, data } = this.#program(instance);
        return { instance, seq, data, at: '2026-01-01T00:00:00Z' };
      },
      tickCall: (params: Params<typeof agentApi.tickCall>, { signal }: { signal: AbortSignal }) =>
        new Promise<CallReport>((resolve, reject) => {
          const call = `call:${this.proposals.length + 1}`;
          const { instance, tool } = params;
          const proposal: Proposal = {
            ...params,
            withdrawn: false,
            settle: (report) => resolve({ call, kind: 'tool', instance, tool, ...report }),
            refuse: reject,
          };
          signal.addEventListener('abort', () => {
            proposal.withdrawn = true;
          });
          this.proposals.push(proposal);
        }),
      tickCallStatus: (): never => {
        throw new RpcError('refused', 'Not here.');
      },
      tickManage: (params: Params<typeof agentApi.tickManage>) => {
        if (params.action === 'list') {
          this.lists += 1;
          return { instances: [...this.programs].map(([instance, program]) => describe(instance, program)) };
        }
        if (params.action !== 'subscribe') throw new RpcError('refused', 'Not here.');
        if (this.#program(params.instance).status !== 'running') {
          throw new RpcError('refused', `${params.instance} is not running.`);
        }
        this.subscribed.add(params.instance);
        return { subscribed: true };
      },
      cancel: () => {},
    };
  }
}

function describe(instance: string, { kind, status }: Program): Instance {
  return instanceSummary(instance, instance, {
    status,
    ...(kind !== undefined && { kind }),
    command: ['program'],
  });
}

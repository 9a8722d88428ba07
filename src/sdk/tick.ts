/**
 * Owns one Tick's conversation with its host: requests, state numbers, updates, the end. Never draws.
 */
import { defaultLimits, protocolVersion } from '../protocol/limits.ts';
import { LineSplitter } from '../protocol/lines.ts';
import {
  type Descriptor,
  errorCodes,
  type Json,
  methods,
  type Series,
  type State,
} from '../protocol/messages.ts';
import { type Catalogue, createCatalogue, NotExecuted, type Tools } from './catalogue.ts';
import { byteLength, encode, errorLine, resultLine } from './encode.ts';
import { hosted } from './hosted.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { hostOutput, log } from './output.ts';
import { isObject, parseRequest, type Request } from './requests.ts';

export interface TickDefinition {
  /** Lower case, dot-separated, publisher first: `acme.orderbook` (tick T-5.4-1). */
  kind: string;
  title: string;
  /** One or two sentences on what the Tick shows and does. */
  description: string;
  /**
   * The whole business state now, about 4 KiB at most; null while there is nothing yet. It is asked for at
   * every read and update, so it answers from memory and changes nothing.
   */
  state(): Json;
  /** Arrays in the state that are ordered in time. */
  series?: Series[];
  /** A query tool through which changes that updates merged away can be had. */
  recoverWith?: string;
  tools: Tools;
}

export interface Tick {
  /** False when a person ran the program in a terminal: nobody calls tools, updates go nowhere. */
  readonly hosted: boolean;
  /** Say that the business state changed. Never for cursor, scrolling, size or colour (tick T-8.3-2). */
  changed(): void;
  /** Replaces the catalogue; calls approved under the old one are refused from now on. */
  setTools(tools: Tools): void;
  /** Begins to listen. Call it once, when everything that `state` and the tools use is ready. */
  start(): void;
}

/** Throws a TypeError for a definition that no host could accept. */
export function defineTick(definition: TickDefinition): Tick {
  for (const field of ['kind', 'title'] as const) {
    if (definition[field].trim() === '') throw new TypeError(`A Tick needs a ${field}.`);
  }
  for (const { path } of definition.series ?? []) {
    if (path === '' || path.startsWith('/')) continue;
    throw new TypeError(`The series path ${path} must be empty or begin with a slash.`);
  }
  let catalogue = createCatalogue(definition.tools, definition.recoverWith);
  const describe = () => encode(descriptorOf(definition, catalogue));
  let descriptor = describe();
  let seq = 0;
  const state = (): State => ({ seq, data: definition.state() ?? null });
  const outbox = hostOutput && createOutbox(hostOutput, () => updateLine(state));

  return {
    hosted,
    changed() {
      seq += 1;
      outbox?.requestUpdate();
    },
    setTools(tools) {
      catalogue = createCatalogue(tools, definition.recoverWith);
      descriptor = describe();
    },
    start() {
      process.once('SIGTERM', () => process.exit(143));
      if (outbox)
        listen(outbox, (request) =>
          answer(
            request,
            () => descriptor,
            state,
            () => catalogue,
          ),
        );
    },
  };
}

function descriptorOf(definition: TickDefinition, catalogue: Catalogue): Descriptor {
  const { kind, title, description, recoverWith, series } = definition;
  const { revision } = catalogue;
  return {
    protocol: protocolVersion,
    ...{ kind, title, description, revision, tools: [...catalogue.tools] },
    ...(recoverWith === undefined ? {} : { recover_with: recoverWith }),
    ...(series === undefined ? {} : { state: { series } }),
  };
}

/** Undefined when the state must not travel as an update; a read still shows it (tick T-8.2-1). */
function updateLine(state: () => State): string | undefined {
  let params: string;
  try {
    const current = state();
    if (current.data === null) return undefined;
    params = encode(current);
  } catch (error) {
    log(`update left out: state() failed: ${messageOf(error)}`);
    return undefined;
  }
  if (byteLength(params) > defaultLimits.updateBytes) {
    log(
      `update left out: the state has ${byteLength(params)} bytes, ${defaultLimits.updateBytes} may be sent`,
    );
    return undefined;
  }
  return `{"jsonrpc":"2.0","method":"${methods.update}","params":${params}}\n`;
}

/** Reads requests until the host closes its end, then lets calls in flight finish and exits (tick T-4.5-2). */
function listen(outbox: Outbox, answerTo: (request: Request) => string | Promise<string>): void {
  const inFlight = new Set<Promise<void>>();
  const receive = (line: Uint8Array) => {
    const request = parseRequest(line);
    if (!request) {
      log('dropped a line that is no request');
      return;
    }
    const answered = answerTo(request);
    if (typeof answered === 'string') {
      outbox.send(answered);
      return;
    }
    const sent = answered.then((text) => outbox.send(text));
    inFlight.add(sent);
    void sent.finally(() => inFlight.delete(sent));
  };
  const finish = async () => {
    await Promise.all(inFlight);
    await outbox.drained();
    process.exit(0);
  };
  const lines = new LineSplitter(defaultLimits.lineBytes);
  process.stdin.on('data', (chunk: Buffer) => lines.push(chunk).forEach(receive));
  process.stdin.once('end', finish);
  process.stdin.once('error', finish);
}

/** Describe and read are answered in the same turn; only a call may take its time (tick T-3.3-3). */
function answer(
  request: Request,
  descriptor: () => string,
  state: () => State,
  catalogue: () => Catalogue,
): string | Promise<string> {
  switch (request.method) {
    case methods.describe:
      return resultLine(request.id, descriptor());
    case methods.read:
      try {
        return resultLine(request.id, encode(state()));
      } catch (error) {
        return errorLine(request.id, errorCodes.internal, `The state could not be read: ${messageOf(error)}`);
      }
    case methods.call:
      return call(request, catalogue());
    default:
      return errorLine(request.id, errorCodes.unknownMethod, `There is no method ${request.method}.`);
  }
}

/** The order of the checks is the protocol's: revision, tool, arguments (tick T-7.2-1, T-7.2-2). */
async function call({ id, params }: Request, catalogue: Catalogue): Promise<string> {
  const refuse = (message: string, data?: Json) => errorLine(id, errorCodes.badArguments, message, data);
  if (params.revision !== catalogue.revision) {
    const message = 'The catalogue changed since this call was prepared. Describe again and prepare it anew.';
    return errorLine(id, errorCodes.staleRevision, message);
  }
  const { tool: name, args } = params;
  const entry = typeof name === 'string' ? catalogue.find(name) : undefined;
  if (!entry) return refuse(`There is no tool ${JSON.stringify(name ?? null)}.`);
  if (!isObject(args)) return refuse('args must be an object.');
  const problems = entry.check(args);
  if (problems.length > 0) {
    const text = problems.map(({ path, message }) => `${path || 'args'}: ${message}`).join('; ');
    return refuse(
      `The arguments do not fit ${name}: ${text}`,
      problems.map((problem) => ({ ...problem })),
    );
  }
  try {
    const result = encode(await entry.definition.run(args));
    if (byteLength(result) <= defaultLimits.resultBytes) return resultLine(id, result);
    return errorLine(id, errorCodes.toolFailed, `The result of ${name} is larger than a host accepts.`);
  } catch (error) {
    if (error instanceof NotExecuted) return refuse(error.message);
    return errorLine(id, errorCodes.toolFailed, messageOf(error));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

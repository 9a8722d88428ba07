/** The two vocabularies of the host: one for operators, one for agents. */
import * as agent from './agent.ts';
import * as approvals from './approvals.ts';
import * as instances from './instances.ts';
import * as layout from './layout.ts';
import type { Api } from './message.ts';
import * as session from './session.ts';
import * as views from './views.ts';

/** Version of both, told in `hello`. */
export const apiVersion = 1;

/** operator.sock: a person's side. */
export const operatorApi = {
  hello: session.hello,
  picture: session.picture,
  changed: session.changed,
  log: session.log,
  logged: session.logged,
  panic: session.panic,
  kill: session.kill,
  ended: session.ended,
  attach: views.attach,
  show: views.show,
  frame: views.frame,
  acknowledge: views.acknowledge,
  active: views.active,
  copied: views.copied,
  open: instances.open,
  list: instances.list,
  close: instances.close,
  restart: instances.restart,
  forget: instances.forget,
  share: instances.share,
  type: instances.type,
  typeText: instances.typeText,
  screen: instances.screen,
  history: instances.history,
  find: instances.find,
  inspect: instances.inspect,
  inspected: instances.inspected,
  removePane: layout.removePane,
  renameTab: layout.renameTab,
  showInstance: layout.showInstance,
  movePane: layout.movePane,
  arrange: layout.arrange,
  pending: approvals.list,
  showApproval: approvals.show,
  decide: approvals.decide,
  edit: approvals.edit,
} satisfies Api;

/** agent.sock: whoever proposes calls. */
export const agentApi = {
  hello: agent.hello,
  tickDescribe: agent.tickDescribe,
  tickRead: agent.tickRead,
  tickCall: agent.tickCall,
  tickCallStatus: agent.tickCallStatus,
  tickManage: agent.tickManage,
  tickUpdate: agent.tickUpdate,
  cancel: agent.cancel,
} satisfies Api;

/** The embedded loop: the agent that comes with the host. Today its driver is rules from a playbook. */
export type { Playbook } from './playbook.ts';
export { describeProblems, readPlaybook } from './read-playbook.ts';
export { startRules } from './rules.ts';

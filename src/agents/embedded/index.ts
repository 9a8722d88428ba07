/** The embedded loop: the agent that comes with the host. Today its driver is rules from a playbook. */
export type { Playbook } from './playbook.ts';
export { describeProblems, type ReadPlaybook, readPlaybook } from './read-playbook.ts';
export { type RulesDriver, type RulesLogEntry, type RulesOptions, startRules } from './rules.ts';

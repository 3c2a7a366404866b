/** What requests of the protocol must have, by command, and its type; those that do without are not listed. */
const needed: Readonly<Record<string, Readonly<Record<string, 'string' | 'number' | 'object'>>>> = {
  breakpointLocations: { source: 'object', line: 'number' },
  completions: { text: 'string', column: 'number' },
  dataBreakpointInfo: { name: 'string' },
  evaluate: { expression: 'string' },
  goto: { targetId: 'number' },
  gotoTargets: { source: 'object', line: 'number' },
  scopes: { frameId: 'number' },
  setBreakpoints: { source: 'object' },
  setDataBreakpoints: { breakpoints: 'object' },
  setExceptionBreakpoints: { filters: 'object' },
  setFunctionBreakpoints: { breakpoints: 'object' },
  setInstructionBreakpoints: { breakpoints: 'object' },
  variables: { variablesReference: 'number' },
};

/** The argument that a request lacks, or that has another type than in the protocol; undefined if there is none. */
export function missingArgument(command: string, given: unknown): string | undefined {
  const values = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>;
  return Object.entries(needed[command] ?? {}).find(
    ([name, type]) => typeof values[name] !== type || values[name] === null,
  )?.[0];
}

/** Whether code that ended with this exit code has succeeded: the TVM counts 1 as success, like 0. */
export function isSuccessCode(exitCode: number): boolean {
  return exitCode === 0 || exitCode === 1;
}

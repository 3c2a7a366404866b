/** A test of what Windows has not, such as signals and ulimit. There it is left out: a skipped test counts as failed. */
export function itOnPosix(title: string, body: Mocha.Func | Mocha.AsyncFunc): void {
  if (process.platform !== 'win32') {
    it(title, body as Mocha.AsyncFunc);
  }
}

// Loaded with `node --import` into the editor's server: it ends when the pipe to the process that started it closes,
// even if that one was killed without a chance to clean up. The server's own children load this too, and go on.
if (process.argv[1]?.endsWith('server-main.js')) {
  process.stdin.resume();
  process.stdin.once('close', () => process.exit(0));
  process.stdin.once('error', () => process.exit(0));
}

import { setFlagsFromString } from 'node:v8';
import { runCommandLine } from './cli/commandLine';
import { openOutput } from './cli/outputStreams';
import { processSurroundings, stoppedStatus } from './cli/surroundings';

// The compilers and the TVM are WebAssembly. Later versions of V8 optimize a function once it has run for this long; that
// of Node 20 begins so early that a command of a second spends a quarter of its processor time on it.
if (Number.parseInt(process.versions.v8, 10) < 13) {
  setFlagsFromString('--wasm-tiering-budget=13000000');
}

// A command ends the process with its own status. Any other exit means the command was interrupted.
process.exitCode = 1;
openOutput();
void runCommandLine(process.argv.slice(2), processSurroundings).then((status) =>
  process.exit(status ?? stoppedStatus()),
);

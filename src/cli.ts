import { runCommandLine } from './cli/commandLine';

// A command ends the process with its own status. Whatever else ends it has broken the command off.
process.exitCode = 1;
void runCommandLine(process.argv.slice(2));

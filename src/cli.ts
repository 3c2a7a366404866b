import { runCommandLine } from './cli/commandLine';

// A command ends the process with its own status. Any other exit means the command was interrupted.
process.exitCode = 1;
void runCommandLine(process.argv.slice(2));

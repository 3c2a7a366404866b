import { runCommandLine } from './cli/commandLine';

await runCommandLine(process.argv.slice(2));

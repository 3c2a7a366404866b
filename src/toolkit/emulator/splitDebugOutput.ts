import { limits } from '../limits';
import type { DebugOutput } from './emulator';

const mark = '#DEBUG#: ';
/** The log line after a debug instruction's output: the next instruction. */
const nextInstruction = 'execute ';
/** Characters of the VM's log that are kept: the last ones. */
const keptLog = 1024 * 1024;

/** Extracts the contract's output from the VM's log. A printed string may span lines. */
export function splitDebugOutput(log: string): { vmLog: string; debugOutput: DebugOutput } {
  if (!log.includes(mark)) {
    return { vmLog: log, debugOutput: [] };
  }
  const rest: string[] = [];
  const printed: string[] = [];
  let isPrinting = false;
  for (const line of log.split('\n')) {
    if (line.startsWith(mark)) {
      isPrinting = true;
      printed.push(line.slice(mark.length).trimEnd());
    } else if (isPrinting && !line.startsWith(nextInstruction)) {
      printed.push(`${printed.pop() ?? ''}\n${line}`);
    } else {
      isPrinting = false;
      rest.push(line);
    }
  }
  return { vmLog: rest.join('\n'), debugOutput: bounded(printed, log.length >= keptLog) };
}

function bounded(printed: readonly string[], cut: boolean): DebugOutput {
  const kept: string[] = cut ? ['(earlier output is lost: the TVM log was full)'] : [];
  let size = 0;
  for (const [place, text] of printed.entries()) {
    size += text.length + 1;
    if (size > limits.debugOutput.most) {
      return [...kept, `(${(printed.length - place).toLocaleString('en-US')} more characters were left out)`];
    }
    kept.push(text);
  }
  return kept;
}

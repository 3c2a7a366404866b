import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugControl } from './debugControl';
import { addressOutside, instructionAddress, instructionOf } from './instructionAddress';
import type { Inspector } from './inspector';

/** The instructions around an address; what lies outside the listing is marked as invalid, as the protocol wants it. */
export function disassemble(
  {
    memoryReference,
    offset = 0,
    instructionOffset = 0,
    instructionCount,
  }: DebugProtocol.DisassembleArguments,
  control: DebugControl,
  inspector: Inspector,
): DebugProtocol.DisassembledInstruction[] {
  const place = instructionOf(memoryReference, offset);
  const view = place && control.known(place.thread);
  const count = Math.min(instructionCount, 10_000);
  if (place === undefined || view === undefined) {
    return Array.from({ length: count }, (_, index) => invalid(addressOutside(0, index)));
  }
  const { thread } = place;
  const { instructions } = view.listing;
  const found = instructions.findIndex((one) => one.cell === place.cell && one.offset >= place.offset);
  const first = (found < 0 ? instructions.length : found) + instructionOffset;
  return Array.from({ length: count }, (_, index): DebugProtocol.DisassembledInstruction => {
    const at = first + index;
    const one = instructions[at];
    if (one === undefined) {
      return invalid(addressOutside(thread, at < 0 ? at : at - instructions.length));
    }
    const { source, line } = inspector.sourceAt(thread, view, one.step);
    return {
      address: instructionAddress({ thread, ...one }),
      instruction: one.text,
      instructionBytes: `${view.recording.cells[one.cell]?.slice(0, 8) ?? ''}:${one.offset}`,
      ...(source === undefined ? {} : { location: source, line }),
    };
  });
}

function invalid(address: string): DebugProtocol.DisassembledInstruction {
  return { address, instruction: '', presentationHint: 'invalid' };
}

import type { EmulatorHolder } from '../../toolkit/workflows/rehearseInTime';
import type { Following } from '../traces/following';
import type { TraceServices } from '../traces/traceServices';

/** What sending uses: the traces it is followed in, and the emulator of its rehearsals. */
export interface SendServices extends TraceServices {
  emulators: EmulatorHolder;
  following: () => Promise<Following>;
}

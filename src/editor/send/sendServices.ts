import type { EmulatorHolder } from '../../toolkit/workflows/rehearseInTime';
import type { Following } from '../traces/following';
import type { TraceServices } from '../traces/traceServices';

/** The services for sending: traces to follow a message in, and the emulator for rehearsals. */
export interface SendServices extends TraceServices {
  emulators: EmulatorHolder;
  following: () => Promise<Following>;
}

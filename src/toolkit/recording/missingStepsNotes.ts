import type { Recording } from './recording';

/** What a log has lost of its execution, as a sentence; empty if nothing. */
export function missingStepsNotes(
  recording: Pick<Recording, 'stepsMissing' | 'gasMissing'> | undefined,
): string[] {
  return recording === undefined || recording.stepsMissing === 0
    ? []
    : [
        `The first ${recording.stepsMissing} steps (${recording.gasMissing} gas) are missing: the engine keeps only the last 32 MiB of its log.`,
      ];
}

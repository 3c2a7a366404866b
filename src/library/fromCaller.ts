import { WorkbenchError, errorSentences } from '../toolkit/base/errors';

/**
 * Does the work of a function that tests call. Reports of Playwright show an error's message and the place where its stack
 * begins: the next step is told in the message, and the stack begins where the test has called.
 *
 * @param entry the function that the test has called
 */
export async function fromCaller<Result>(
  entry: (...given: never[]) => unknown,
  work: () => Promise<Result>,
): Promise<Result> {
  const place = { stack: '' };
  Error.captureStackTrace(place, entry);
  try {
    return await work();
  } catch (error) {
    const [, ...frames] = place.stack.split('\n');
    throw toldAt(error, frames);
  }
}

/**
 * An error that says all of it in its message: reports show no more of it.
 * @param frames where it arose, as lines of a stack; none if no line of a test has called
 */
export function toldAt(error: unknown, frames: readonly string[]): unknown {
  const told = WorkbenchError.is(error) ? withNextStep(error) : error;
  if (told instanceof Error) {
    told.stack = [`${told.name}: ${told.message}`, ...frames].join('\n');
  }
  return told;
}

function withNextStep(error: WorkbenchError): WorkbenchError {
  const { code, kind, details, cause } = error;
  return new WorkbenchError({ code, kind, message: errorSentences(error), details, cause });
}

import { WorkbenchError } from '../../errors';

/** The listener's port cannot be had. */
export function listenError(port: number, cause: Error): WorkbenchError {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') {
    return new WorkbenchError({
      code: 'port-in-use',
      kind: 'input',
      message: `Port ${port} is taken by another program.`,
      hint: 'Choose another port, or stop the program that has it.',
      details: { port },
      cause,
    });
  }
  if (code === 'EACCES') {
    return new WorkbenchError({
      code: 'port-not-allowed',
      kind: 'input',
      message: `Port ${port} may not be opened by this user.`,
      hint: 'Choose a port from 1024 up.',
      details: { port },
      cause,
    });
  }
  return new WorkbenchError({
    code: 'listen-failed',
    kind: 'input',
    message: `The webhook listener cannot listen on port ${port}: ${cause.message}.`,
    hint: 'Choose another port.',
    details: { port },
    cause,
  });
}

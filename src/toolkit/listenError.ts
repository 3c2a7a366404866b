import { WorkbenchError } from './errors';

/** A port on this machine is not available. */
export function listenError(port: number, cause: Error): WorkbenchError {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') {
    return new WorkbenchError({
      code: 'port-in-use',
      kind: 'input',
      message: `Port ${port} is in use, by another program or another window.`,
      hint: 'Choose another port, or stop what listens there.',
      details: { port },
      cause,
    });
  }
  if (code === 'EACCES') {
    return new WorkbenchError({
      code: 'port-not-allowed',
      kind: 'input',
      message: `You do not have permission to open port ${port}.`,
      hint: 'Choose a port of 1024 or higher.',
      details: { port },
      cause,
    });
  }
  return new WorkbenchError({
    code: 'listen-failed',
    kind: 'input',
    message: `Cannot listen on port ${port}: ${cause.message}.`,
    hint: 'Choose another port.',
    details: { port },
    cause,
  });
}

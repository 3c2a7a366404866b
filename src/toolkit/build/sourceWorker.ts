import { serveFace, workerPort } from '../base/workerService';
import { systemClock } from '../base/time';
import { compileWithActon, mapWithActon } from './actonCompiler';
import { withInputs } from './compileInputs';
import { listFolder, requestReader } from './compileRequest';
import type { CompileRequest } from './compileRequest';
import { compileSource } from './compileSource';
import type { CompileOptions } from './compileSource';
import { mapSource } from './mapSource';
import { isForActon } from './projectCompiler';
import type { CompilerFace, RunningProgram } from './sourceCompiler';

const started = systemClock.now();
const optionsOf = (request: CompileRequest): CompileOptions => ({
  isTrusted: request.isTrusted,
  read: requestReader(request),
  list: listFolder,
});
const tellRunning = (running: number | undefined): void =>
  workerPort().postMessage({ running } satisfies RunningProgram);
serveFace<CompilerFace>({
  compile: async (path, request) =>
    isForActon(path, request)
      ? { result: await compileWithActon(path, request, tellRunning), inputs: undefined }
      : withInputs(path, optionsOf(request), started, (options) => compileSource(path, options)),
  map: async (path, request) =>
    isForActon(path, request)
      ? { result: await mapWithActon(path, request, tellRunning), inputs: undefined }
      : withInputs(path, optionsOf(request), started, (options) => mapSource(path, options)),
});

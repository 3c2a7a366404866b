/**
 * Where the build put a worker: at the top of the dist folder that the asking file runs from (extension, command line,
 * chunks, tests), else beside that file.
 *
 * @param name without `.js`
 * @param from the asking file's `import.meta.url`
 */
export function builtWorker(name: string, from: string): URL {
  const place = from.lastIndexOf('/dist/');
  return new URL(`${name}.js`, place < 0 ? from : from.slice(0, place + '/dist/'.length));
}

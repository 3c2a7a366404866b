/**
 * The location of a built worker: at the top of the dist folder from which the calling file runs (extension, command
 * line, chunks, tests), else next to that file.
 *
 * @param name without `.js`
 * @param from the calling file's `import.meta.url`
 */
export function builtWorker(name: string, from: string): URL {
  const place = from.lastIndexOf('/dist/');
  return new URL(`${name}.js`, place < 0 ? from : from.slice(0, place + '/dist/'.length));
}

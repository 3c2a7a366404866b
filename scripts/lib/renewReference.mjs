import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { reduceDescription } from './reduceDescription.mjs';

/** @typedef {{ file: string, layer: string, paths: number, schemas: number }} Renewed */

/**
 * JSON with one line for each operation and each schema, so that diffs between editions are readable.
 * @param {unknown} value
 * @param {number} depth levels of objects broken into lines
 * @returns {string}
 */
const render = (value, depth) => {
  if (depth === 0 || typeof value !== 'object' || value === null) {
    return JSON.stringify(value);
  }
  const rows = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(name)}: ${render(inner, depth - 1)}`,
  );
  return `{\n${rows.join(',\n')}\n}`;
};

/**
 * Which API a description covers, by its paths.
 * @param {unknown} description
 * @returns {string | undefined} `v2` or `v3`; undefined if neither or both
 */
const layerOf = (description) => {
  const paths = Object.keys(Object(Object(description).paths));
  return ['v2', 'v3'].find(
    (layer) => paths.length > 0 && paths.every((one) => one.startsWith(`/api/${layer}/`)),
  );
};

/**
 * Writes the facts of published API descriptions to `v2-openapi.json` and `v3-openapi.json`.
 * @param {readonly string[]} files OpenAPI 3 documents of the v2 or the v3 API, as JSON
 * @param {string} folder output folder
 * @returns {Promise<Renewed[]>}
 * @throws {Error} if a file is not such a description; then nothing is written
 */
export const renewReference = async (files, folder) => {
  const reduced = await Promise.all(
    files.map(async (file) => {
      /** @type {unknown} */
      let description;
      try {
        description = JSON.parse(await readFile(file, 'utf8'));
      } catch (error) {
        throw new Error(`Could not read ${file}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      }
      const layer = layerOf(description);
      if (layer === undefined) {
        throw new Error(
          `${file} is not a description of the v2 or the v3 API: its paths must all begin with /api/v2/, or all with /api/v3/.`,
        );
      }
      return { layer, facts: reduceDescription(description) };
    }),
  );
  return Promise.all(
    reduced.map(async ({ layer, facts }) => {
      const file = path.join(folder, `${layer}-openapi.json`);
      await writeFile(file, `${render(facts, 3)}\n`);
      const { paths, components } = Object(facts);
      return {
        file,
        layer,
        paths: Object.keys(paths).length,
        schemas: Object.keys(Object(components).schemas ?? {}).length,
      };
    }),
  );
};

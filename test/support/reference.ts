import { statSync } from 'node:fs';
import path from 'node:path';
import { referenceMark } from '../../scripts/lib/referenceMark.mjs';
import { root } from '../../scripts/lib/root.mjs';

/**
 * The folder with the published API descriptions and recordings: TONWB_REFERENCE, by default ../shared/reference beside
 * the checkout. They are not part of this repository.
 * @returns its absolute path, or undefined where it is absent
 * @throws where it is absent although TONWB_REQUIRE_REFERENCE=1 asks for it
 */
export function reference(): string | undefined {
  const folder = path.resolve(root, process.env['TONWB_REFERENCE'] ?? '../shared/reference');
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) {
    return folder;
  }
  if (process.env['TONWB_REQUIRE_REFERENCE'] === '1') {
    throw new Error(`The reference folder ${folder} is absent.`);
  }
  return undefined;
}

/**
 * A suite that reads the reference folder. Where that is absent its tests count as skipped, or, with
 * TONWB_REQUIRE_REFERENCE=1, the suite fails.
 */
export function describeWithReference(title: string, body: (folder: string) => void): void {
  let folder: string | undefined;
  try {
    folder = reference();
  } catch (error) {
    describe(title, () => {
      it('has the reference folder', () => {
        throw error;
      });
    });
    return;
  }
  if (folder !== undefined) {
    const present = folder;
    describe(title, () => body(present));
    return;
  }
  describe.skip(`${title} ${referenceMark}`, () => {
    try {
      body('/absent');
    } catch {
      // The suite reads the folder to know its tests: it is skipped as one.
      it('is left out as a whole', () => undefined);
    }
  });
}

/** One test that reads the reference folder, in a suite that does not otherwise; skipped or failed like the suite. */
export function itWithReference(title: string, body: Mocha.Func): Mocha.Test {
  let folder: string | undefined;
  try {
    folder = reference();
  } catch (error) {
    return it(title, () => {
      throw error;
    });
  }
  return folder === undefined ? it.skip(`${title} ${referenceMark}`, body) : it(title, body);
}

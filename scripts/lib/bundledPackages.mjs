import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './root.mjs';

/**
 * @typedef {{ name: string, version: string, license?: string, author?: string | { name?: string } }} Manifest
 */

/**
 * @typedef {object} BundledPackage
 * @property {string} name
 * @property {string} version
 * @property {Manifest} manifest its package.json
 * @property {string} license as its package.json states it: an SPDX expression
 * @property {string | undefined} text the text of its license and notice files; undefined if it has none
 */

/** @param {string} input a path of esbuild's metafile */
const folderOf = (input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];

/**
 * The license: a separate file, else a section of the readme (unless that is only a link).
 * @param {string} folder
 * @returns {Promise<string | undefined>}
 */
const licenseText = async (folder) => {
  const names = (await readdir(folder)).sort();
  const files = names.filter((name) => /^(licen[cs]es?|copying|notice)([.-].*)?$/i.test(name));
  if (files.length > 0) {
    const texts = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
    return texts.map((text) => text.trim()).join('\n\n');
  }
  const readme = names.find((name) => /^readme\.md$/i.test(name));
  const text = readme === undefined ? '' : await readFile(path.join(folder, readme), 'utf8');
  const chapter = /^(?:#+ *licen[cs]e.*|licen[cs]e\n-+) *$/im.exec(text);
  const words = chapter === null ? '' : text.slice(chapter.index + chapter[0].length).trim();
  return /copyright/i.test(words) ? words : undefined;
};

/** @param {string} folder */
const readPackage = async (folder) => {
  /** @type {Manifest} */
  const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const { name, version, license } = manifest;
  if (typeof license !== 'string') {
    throw new Error(`${name} ${version} states no license: look at it before it is bundled.`);
  }
  return { name, version, manifest, license, text: await licenseText(folder) };
};

/**
 * Every package with at least one byte in the output, by name and version.
 * @param {import('esbuild').Metafile['outputs']} outputs
 * @returns {Promise<BundledPackage[]>}
 */
export const bundledPackages = async (outputs) => {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const folders = inputs.flatMap(([input, { bytesInOutput }]) =>
    bytesInOutput > 0 ? [folderOf(input) ?? []].flat() : [],
  );
  const packages = await Promise.all(
    [...new Set(folders)].map((folder) => readPackage(path.join(root, folder))),
  );
  const byKey = new Map(packages.map((one) => [`${one.name}@${one.version}`, one]));
  return [...byKey.values()].sort((a, b) => (a.name + a.version < b.name + b.version ? -1 : 1));
};

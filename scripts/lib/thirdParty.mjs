import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import * as CycloneDx from '@cyclonedx/cyclonedx-library';
import { PackageURL } from 'packageurl-js';
import parseLicense from 'spdx-expression-parse';
import { bundledPackages } from './bundledPackages.mjs';
import { compiledParts } from './compiledParts.mjs';
import { root } from './root.mjs';

/** @typedef {import('./bundledPackages.mjs').BundledPackage} BundledPackage */
/** @typedef {import('./bundledPackages.mjs').Manifest} Manifest */
/** @typedef {import('./compiledParts.mjs').CompiledPart} CompiledPart */

const { Contrib, Enums, Models, Serialize, Spec } = CycloneDx;
const require = createRequire(import.meta.url);
const rule = '='.repeat(80);

/** @param {string} expression SPDX */
const licenseIds = (expression) =>
  expression.split(/\s+(?:AND|OR)\s+/).map((part) => part.split(' ')[0] ?? part);

/**
 * @param {string} id SPDX
 * @returns {string} the license's own words
 */
const standardText = (id) => require(`spdx-license-list/licenses/${id}.json`).licenseText.trim();

/** @param {CompiledPart} part */
const describePart = ({ name, license, source, revision, about }) =>
  `  ${name}\n    ${license}\n    ${source}${revision === undefined ? '' : ` at ${revision}`}\n    ${about}`;

/** @param {BundledPackage} one */
const describePackage = ({ name, version, license, text, manifest }) => {
  const author = typeof manifest.author === 'string' ? manifest.author : manifest.author?.name;
  const words =
    text ??
    `The package brings no license file. It states ${license}; its author is ${author ?? 'not named'}.`;
  const parts = compiledParts.filter((part) => part.inside === name);
  const compiled =
    parts.length === 0
      ? ''
      : `\n\nIts WebAssembly module was compiled from:\n\n${parts.map(describePart).join('\n\n')}`;
  return `${rule}\n${name} ${version} (${license})\n${rule}\n\n${words}${compiled}\n`;
};

/** @param {readonly BundledPackage[]} packages */
const notices = (packages) => {
  const withoutText = packages.filter(({ text }) => text === undefined).map(({ license }) => license);
  const parts = compiledParts.filter(({ inside }) => packages.some(({ name }) => name === inside));
  const ids = new Set([...withoutText, ...parts.map(({ license }) => license)].flatMap(licenseIds));
  return [
    `TON Workbench contains the following software of others, under the terms of each.\n`,
    ...packages.map(describePackage),
    ...[...ids].sort().map((id) => `${rule}\nThe text of ${id}\n${rule}\n\n${standardText(id)}\n`),
  ].join('\n');
};

const licenses = new Contrib.License.Factories.LicenseFactory(parseLicense);
const components = new Contrib.FromNodePackageJson.Builders.ComponentBuilder(
  new Contrib.FromNodePackageJson.Factories.ExternalReferenceFactory(),
  licenses,
);

/** @param {Manifest} manifest */
const componentOf = (manifest, type = Enums.ComponentType.Library) => {
  const component = components.makeComponent(manifest, type);
  if (component === undefined) {
    throw new Error(`No component can be made of ${manifest.name}.`);
  }
  const { name, group, version } = component;
  const purl = new PackageURL('npm', group, name, version, undefined, undefined).toString();
  component.purl = purl;
  component.bomRef.value = purl;
  return component;
};

/** @param {CompiledPart} part */
const partOf = ({ name, inside, license, source, revision, about }) =>
  new Models.Component(Enums.ComponentType.Library, name, {
    bomRef: `${inside}#${name}`,
    description: about,
    ...(revision === undefined ? {} : { version: revision }),
    licenses: new Models.LicenseRepository([licenses.makeFromString(license)]),
    externalReferences: new Models.ExternalReferenceRepository([
      new Models.ExternalReference(source, Enums.ExternalReferenceType.VCS),
    ]),
  });

/**
 * @param {readonly BundledPackage[]} packages
 * @param {Manifest} manifest the product's own
 */
const billOfMaterials = (packages, manifest) => {
  const product = componentOf(manifest, Enums.ComponentType.Application);
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: product }) });
  for (const one of packages) {
    const component = componentOf(one.manifest);
    for (const part of compiledParts.filter(({ inside }) => inside === one.name)) {
      component.components.add(partOf(part));
    }
    bom.components.add(component);
    product.dependencies.add(component.bomRef);
  }
  const normalize = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return new Serialize.JsonSerializer(normalize).serialize(bom, { sortLists: true, space: 2 });
};

/**
 * Writes the files required with bundled third-party code: THIRD-PARTY-NOTICES.txt with each part's license, and
 * sbom.cdx.json, a CycloneDX 1.6 bill of materials. Both are derived from the actual output and are deterministic.
 * @param {string} folder
 * @param {import('esbuild').Metafile['outputs']} outputs
 */
export const writeThirdParty = async (folder, outputs) => {
  const packages = await bundledPackages(outputs);
  const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  await Promise.all([
    writeFile(path.join(folder, 'THIRD-PARTY-NOTICES.txt'), notices(packages)),
    writeFile(path.join(folder, 'sbom.cdx.json'), `${billOfMaterials(packages, manifest)}\n`),
  ]);
};

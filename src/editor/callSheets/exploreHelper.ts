import { Cell } from '@ton/core';
import type { ExploreHelper } from '../../toolkit/workflows/exploreThread';
import type { SheetMessages } from '../../toolkit/workflows/sheetRunTypes';
import { workspaceCodes } from '../project/codeLookUp';
import { describeDeployed } from '../project/methodsOf';
import type { Services } from '../project/services';
import type { OpenSheetNetwork } from './contractsOfSheets';

/** What this window answers the thread that explores the orders of a sheet. */
export function exploreHelper(
  { project }: Services,
  { build, replays }: SheetMessages<OpenSheetNetwork>,
): ExploreHelper {
  return {
    describe: async ({ code, ...known }) => {
      const deployed = { ...known, ...(code === undefined ? {} : { code: Cell.fromBase64(code) }) };
      await project.findSource(deployed);
      return describeDeployed(project, deployed);
    },
    project: async (codeHashes) => {
      const chosen = codeHashes.flatMap((hash): [string, string][] => {
        const name = project.chosen(hash);
        return name === undefined ? [] : [[hash, name]];
      });
      return { contracts: await project.list(), chosen: new Map(chosen) };
    },
    build,
    codes: async (text) => {
      const found = await workspaceCodes(project, text);
      return new Map([...found].map(([name, code]) => [name, code.toBoc().toString('base64')]));
    },
    openReplay: async (file) => {
      if (replays === undefined) {
        throw new Error('a sheet in the editor can open replays');
      }
      return replays.open(file);
    },
  };
}

import type { ToolHost } from '../../src/toolkit/tools/tool';
import { Toolbox } from '../../src/toolkit/tools/toolbox';
import type { LanguageModelTool } from '../../src/toolkit/tools/toolTable';
import { languageModelTools, toolTable } from '../../src/toolkit/tools/toolTable';

/** What package.json and package.nls.json say about the tools for agents, written by `npm run docs`. */
export interface DeclaredTools {
  languageModelTools: LanguageModelTool[];
  /** By the keys of package.nls.json. */
  titles: Record<string, string>;
}

/** Declares every tool of the table to the editor. */
export function declaredTools(): DeclaredTools {
  const nowhere = { networks: [] } as unknown as ToolHost;
  const { tools } = new Toolbox(toolTable, nowhere);
  return {
    languageModelTools: languageModelTools(tools),
    titles: Object.fromEntries(tools.map(({ name, title }) => [`tool.${name}`, title])),
  };
}

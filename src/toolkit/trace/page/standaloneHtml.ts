import { escapeHtml } from '../../base/text';
import { createHash } from 'node:crypto';
import type { PageDetails, TracePage } from './tracePage';

/** What a standalone file has inside. */
export interface StandaloneParts {
  page: TracePage;
  details: readonly PageDetails[];
  /** The page's own script and style sheet, as built. */
  script: string;
  style: string;
}

/**
 * The page of a trace as one file that opens anywhere, offline: the trace is in it as JSON (`<script id="page">`), and
 * its policy admits only the script and the styles that are in it.
 */
export function standaloneHtml({ page, details, script, style }: StandaloneParts): string {
  const code = inlineScript(script);
  const styles = `${theme}\n${style}`.replaceAll(/<\/style/gi, '<\\/style');
  const policy = [
    `default-src 'none'`,
    `script-src ${hashOf(code)}`,
    `style-src ${hashOf(styles)}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(page.headline)}</title>
<style>${styles}</style>
</head>
<body>
<div id="app"></div>
<script type="application/json" id="page">${inlineJson({ page, details })}</script>
<script>${code}</script>
</body>
</html>
`;
}

/** JSON in which nothing can end the element that it is in. */
function inlineJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** In a script these stand only in texts and patterns, where the backslash changes nothing. */
function inlineScript(script: string): string {
  return script.replaceAll(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '<\\!--');
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
}

/** What an editor would give: the colors of its default themes, light and dark. */
const colors: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  'badge-background': ['#cccccc', '#616161'],
  'badge-foreground': ['#3b3b3b', '#f8f8f8'],
  'button-background': ['#005fb8', '#0078d4'],
  'button-border': ['#0000001a', '#ffffff12'],
  'button-foreground': ['#ffffff', '#ffffff'],
  'button-secondaryBackground': ['#e5e5e5', '#313131'],
  'button-secondaryForeground': ['#3b3b3b', '#cccccc'],
  'button-secondaryHoverBackground': ['#cccccc', '#3c3c3c'],
  'charts-blue': ['#1a85ff', '#59a4f9'],
  'charts-orange': ['#d18616', '#d18616'],
  descriptionForeground: ['#3b3b3b', '#9d9d9d'],
  'dropdown-background': ['#ffffff', '#313131'],
  'dropdown-border': ['#cecece', '#3c3c3c'],
  'dropdown-foreground': ['#3b3b3b', '#cccccc'],
  'editor-background': ['#ffffff', '#1f1f1f'],
  'editor-findMatchHighlightBackground': ['#ea5c0055', '#9e6a0380'],
  'editorWarning-foreground': ['#bf8803', '#cca700'],
  'editorWidget-background': ['#f8f8f8', '#202020'],
  'editorWidget-border': ['#c8c8c8', '#454545'],
  errorForeground: ['#c42b1c', '#f85149'],
  focusBorder: ['#005fb8', '#0078d4'],
  foreground: ['#3b3b3b', '#cccccc'],
  'gitDecoration-addedResourceForeground': ['#587c0c', '#81b88b'],
  'gitDecoration-deletedResourceForeground': ['#ad0707', '#c74e39'],
  'gitDecoration-modifiedResourceForeground': ['#895503', '#e2c08d'],
  'input-background': ['#ffffff', '#313131'],
  'input-border': ['#cecece', '#3c3c3c'],
  'input-foreground': ['#3b3b3b', '#cccccc'],
  'input-placeholderForeground': ['#767676', '#989898'],
  'list-activeSelectionBackground': ['#e8e8e8', '#04395e'],
  'list-activeSelectionForeground': ['#000000', '#ffffff'],
  'list-hoverBackground': ['#f2f2f2', '#2a2d2e'],
  'list-inactiveSelectionBackground': ['#e4e6f1', '#37373d'],
  'list-inactiveSelectionForeground': ['#3b3b3b', '#cccccc'],
  'panel-border': ['#e5e5e5', '#2b2b2b'],
  'testing-iconPassed': ['#388a34', '#73c991'],
  'textLink-activeForeground': ['#005fb8', '#4daafc'],
  'textLink-foreground': ['#005fb8', '#4daafc'],
};

const theme = themeOf();

function themeOf(): string {
  const rows = (index: 0 | 1): string =>
    Object.entries(colors)
      .map(([name, color]) => `--vscode-${name}:${color[index]}`)
      .join(';');
  return [
    `:root{color-scheme:light dark;--vscode-font-family:system-ui,sans-serif;--vscode-font-size:13px;${rows(0)}}`,
    `@media (prefers-color-scheme:dark){:root{${rows(1)}}}`,
  ].join('\n');
}

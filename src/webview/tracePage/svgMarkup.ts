import type { ComponentChildren, VNode } from 'preact';

/**
 * Elements as XML. Components are called as functions, so they have no hooks; texts and attributes are escaped, and
 * what listens to events is left out.
 */
export function svgMarkup(tree: ComponentChildren): string {
  if (Array.isArray(tree)) {
    return tree.map(svgMarkup).join('');
  }
  if (tree == null || typeof tree === 'boolean') {
    return '';
  }
  if (typeof tree !== 'object') {
    return escaped(String(tree));
  }
  const { type, props } = tree as VNode<Record<string, unknown>>;
  if (typeof type === 'function') {
    return svgMarkup((type as (of: typeof props) => ComponentChildren)(props));
  }
  const attributes = Object.entries(props).map(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? ` ${name}="${escaped(String(value))}"` : '',
  );
  return `<${type}${attributes.join('')}>${svgMarkup(props.children)}</${type}>`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}

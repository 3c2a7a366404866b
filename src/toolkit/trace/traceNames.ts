import type { TraceModel } from './traceModel';

/**
 * Every hash by which a trace can be requested: first its external message (normalized, then raw), which does not
 * change between pending and complete, then its id, messages, and transactions.
 */
export function traceNames(model: TraceModel): string[] {
  const names = new Set<string>();
  const add = (hash: string | null | undefined): void => {
    if (hash != null) {
      names.add(hash);
    }
  };
  const root = model.roots[0];
  add(root?.message?.hash_norm ?? root?.message?.hash ?? model.source.external_hash);
  add(root?.message?.hash);
  add(model.source.external_hash);
  add(model.id);
  for (const node of model.nodes) {
    add(node.message?.hash);
    add(node.message?.hash_norm);
    add(node.hash);
  }
  return [...names];
}

import type { Access as ToolkitAccess } from '../toolkit/access/createAccess';
import { WorkbenchError } from '../toolkit/base/errors';
import type { Access } from './access';

/** The same object, with the toolkit's type. */
export function toolkitAccess(access: Access): ToolkitAccess {
  if (!('call' in access && 'ask' in access)) {
    throw new WorkbenchError({
      code: 'access-unknown',
      kind: 'input',
      message: 'This is not an access made by createAccess.',
      hint: "Make one with createAccess of 'ton-workbench/access'.",
    });
  }
  return access as ToolkitAccess;
}

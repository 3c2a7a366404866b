import type { LayoutField, LayoutSet, LayoutType, StructLayout } from './layoutSet';
import { codeText, exampleOfType, isCodeField, jettonPlaceholder, plainDefault } from './exampleOfLayout';
import { layoutTypeText } from './layoutSet';

/** A possible value of a field, as text. */
export interface FieldChoice {
  value: string;
  label: string;
  description?: string;
  /** The value is a starting point to be completed: a variant with fields. */
  isStart?: true;
}

/** How to ask the user for a field. */
export interface FieldPrompt {
  field: LayoutField;
  /** `uint32` */
  typeText: string;
  /** A harmless value; undefined for an address, which is always the user's choice. */
  start: string | undefined;
  /** All possible values, if they can be listed. */
  choices: readonly FieldChoice[];
  /** Whether accounts are valid values. */
  takesAccount: boolean;
}

/** How to ask the user for each field of a struct, in order. */
export function fieldPrompts(layout: StructLayout, set: LayoutSet, owner: string): FieldPrompt[] {
  return layout.cells.flat().map((field) => ({
    field,
    typeText: layoutTypeText(field.type, set),
    start:
      plainDefault(field, set) ??
      codeText(field, set) ??
      jettonPlaceholder(field, layout, set) ??
      startOf(field.type, set, owner),
    choices: isCodeField(field) ? codeChoices(set) : choicesOf(field.type, set, owner),
    takesAccount: takesAccount(field.type),
  }));
}

/**
 * `{queryId: 0, who: bob}`, from the fields' texts in order; empty ones are left to the source's defaults.
 */
export function structText(layout: StructLayout, texts: readonly string[]): string {
  const given = layout.cells.flat().map(({ name }, place) => [name, texts[place]?.trim() ?? ''] as const);
  return `{${given.flatMap(([name, text]) => (text === '' ? [] : [`${name}: ${text}`])).join(', ')}}`;
}

function startOf(type: LayoutType, set: LayoutSet, owner: string): string | undefined {
  return type.kind === 'address' || type.kind === 'union' || type.kind === 'unknown'
    ? undefined
    : exampleOfType(type, set, owner);
}

function codeChoices({ codes = [] }: LayoutSet): FieldChoice[] {
  return codes.map((code) => ({ value: `code ${code}`, label: `code ${code}` }));
}

function takesAccount(type: LayoutType): boolean {
  return type.kind === 'maybe' || type.kind === 'either' ? takesAccount(type.inner) : type.kind === 'address';
}

function choicesOf(type: LayoutType, set: LayoutSet, owner: string): FieldChoice[] {
  switch (type.kind) {
    case 'bool':
      return ['true', 'false'].map((value) => ({ value, label: value }));
    case 'enum':
      return [...type.members].map(([value, name]) => ({
        value: name,
        label: name,
        description: value.toString(),
      }));
    case 'address':
      return type.isRequired === true
        ? []
        : [{ value: 'none', label: 'none', description: 'the empty address' }];
    case 'maybe': {
      const inner = choicesOf(type.inner, set, owner);
      const isListed = inner.length > 0 || takesAccount(type.inner);
      return isListed ? [...inner, { value: 'null', label: 'null' }] : [];
    }
    case 'union':
      return type.variants.map((variant) => variantChoice(variant.type, set, owner));
    default:
      return [];
  }
}

/** Structs are written with their names. */
function variantChoice(type: LayoutType, set: LayoutSet, owner: string): FieldChoice {
  const name = type.kind === 'struct' ? set.structs.get(type.key)?.name : undefined;
  const example = exampleOfType(type, set, owner);
  const value = name === undefined ? example : `${name} ${example}`;
  const label = name ?? layoutTypeText(type, set);
  const isWhole = value === 'null' || example === '{}';
  return {
    value,
    label,
    ...(isWhole ? {} : { isStart: true, description: example }),
  };
}

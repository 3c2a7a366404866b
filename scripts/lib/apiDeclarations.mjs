import path from 'node:path';
import ts from 'typescript';
import { root } from './root.mjs';

/** Prints types without the types they were derived from. */
class TypePrinter {
  /** @type {Map<ts.Type, string>} */
  #names = new Map();
  /** Declarations by name, in the order in which they are first needed. @type {Map<string, string>} */
  declarations = new Map();

  /** @param {ts.TypeChecker} checker */
  constructor(checker) {
    this.checker = checker;
  }

  /**
   * @param {ts.Type} type printed under this name wherever it occurs
   * @param {string} name
   */
  name(type, name) {
    if (!this.#names.has(type)) {
      this.#names.set(type, name);
    }
  }

  /**
   * @param {ts.Type} type
   * @returns {string}
   */
  print(type) {
    const name = this.#names.get(type) ?? this.#ownName(type);
    if (name === undefined) {
      return this.#structure(type);
    }
    if (!this.declarations.has(name)) {
      this.declarations.set(name, '');
      const text = this.#structure(type);
      this.declarations.set(
        name,
        text.startsWith('{') && !type.isUnion()
          ? `${comment(docOf(type.aliasSymbol ?? type.symbol, this.checker))}export interface ${name} ${text}`
          : `${comment(docOf(type.aliasSymbol, this.checker))}export type ${name} = ${text};`,
      );
    }
    return name;
  }

  /**
   * Types that the toolkit itself names: AddressInput, CallOptions.
   * @param {ts.Type} type
   */
  #ownName(type) {
    const symbol = type.aliasSymbol ?? (type.isClassOrInterface() ? type.symbol : undefined);
    const isOwn = symbol?.declarations?.every((one) => isOwnFile(one.getSourceFile().fileName)) === true;
    const isGeneric = (type.aliasTypeArguments ?? []).length > 0;
    if (symbol === undefined || !isOwn || isGeneric) {
      return undefined;
    }
    if ([...this.#names.values()].includes(symbol.name)) {
      throw new Error(`Two types are called ${symbol.name}.`);
    }
    this.#names.set(type, symbol.name);
    return symbol.name;
  }

  /** @param {ts.Type} type */
  #structure(type) {
    if (type.isUnion()) {
      return this.#union(type);
    }
    if (this.checker.isTupleType(type)) {
      const items = this.checker.getTypeArguments(/** @type {ts.TypeReference} */ (type));
      const readonly = /** @type {ts.TupleTypeReference} */ (type).target.readonly ? 'readonly ' : '';
      return `${readonly}[${items.map((item) => this.print(item)).join(', ')}]`;
    }
    if (this.checker.isArrayType(type)) {
      const [item] = this.checker.getTypeArguments(/** @type {ts.TypeReference} */ (type));
      const text = item === undefined ? 'unknown' : this.print(item);
      const readonly = type.symbol.name === 'ReadonlyArray' ? 'readonly ' : '';
      return `${readonly}${/[ |]/.test(text) && !text.startsWith('{') ? `(${text})` : text}[]`;
    }
    if (type.isIntersection() && type.types.some((one) => (one.flags & ts.TypeFlags.Object) === 0)) {
      return `(${type.types.map((one) => this.print(one)).join(' & ')})`;
    }
    const isObject = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
    if (!isObject || isOfOthers(type)) {
      return this.checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
    }
    return this.object(type);
  }

  /** @param {ts.UnionType} type */
  #union(type) {
    const texts = new Set(type.types.map((one) => this.print(one)));
    if (texts.has('true') && texts.has('false')) {
      texts.delete('true');
      texts.delete('false');
      texts.add('boolean');
    }
    const last = ['null', 'undefined'].filter((word) => texts.delete(word));
    return [...texts, ...last].join(' | ');
  }

  /**
   * @param {ts.Type} type
   * @param {ReadonlyMap<string, string>} [words] more about its properties
   */
  object(type, words = new Map()) {
    const members = this.checker.getPropertiesOfType(type).map((property) => {
      if (this.checker.getTypeOfSymbol(property).getCallSignatures().length > 0) {
        return `${property.name}(): ${this.print(this.#result(property))};`;
      }
      const optional = (property.flags & ts.SymbolFlags.Optional) !== 0 ? '?' : '';
      const name = /^[a-z_$][\w$]*$/i.test(property.name) ? property.name : `'${property.name}'`;
      const value = this.print(this.checker.getTypeOfSymbol(property));
      const said = docOf(property, this.checker) || words.get(property.name) || '';
      return `${comment(said)}${name}${optional}: ${value};`;
    });
    for (const { keyType, type: value } of this.checker.getIndexInfosOfType(type)) {
      members.push(`[key: ${this.checker.typeToString(keyType)}]: ${this.print(value)};`);
    }
    return members.length === 0 ? '{}' : `{\n${members.join('\n')}\n}`;
  }

  /** @param {ts.Symbol} method */
  #result(method) {
    const [signature] = this.checker.getTypeOfSymbol(method).getCallSignatures();
    return signature?.getReturnType() ?? this.checker.getUnknownType();
  }
}

/**
 * A type available everywhere by name, such as AbortSignal. Types derived by zod have no name.
 * @param {ts.Type} type
 */
const isOfOthers = ({ symbol }) =>
  symbol !== undefined &&
  !symbol.name.startsWith('__') &&
  symbol.declarations?.some((one) => !isOwnFile(one.getSourceFile().fileName)) === true;

/** @param {string} file */
const isOwnFile = (file) => file.startsWith(`${root.replaceAll('\\', '/')}/src/`);

/**
 * @param {ts.Symbol | undefined} symbol
 * @param {ts.TypeChecker} checker
 */
const docOf = (symbol, checker) => ts.displayPartsToString(symbol?.getDocumentationComment(checker) ?? []);

/** @param {string} text */
const comment = (text) => {
  const lines = text.trim().replaceAll('*/', '*\\/').split('\n');
  const body = lines.length === 1 ? ` ${lines[0]} ` : `\n${lines.map((line) => ` * ${line}`).join('\n')}\n `;
  return text.trim() === '' ? '' : `/**${body}*/\n`;
};

/**
 * @param {ts.Type} type
 * @param {string} name
 * @param {ts.TypeChecker} checker
 */
const typeOfProperty = (type, name, checker) => {
  const property = type.getProperty(name);
  return property === undefined ? undefined : checker.getTypeOfSymbol(property);
};

/**
 * The value of a table's property, following a constant's name.
 * @param {ts.Symbol | undefined} property
 * @param {ts.TypeChecker} checker
 * @returns {ts.Expression | undefined}
 */
const valueOf = (property, checker) => {
  const declaration = property?.valueDeclaration;
  if (declaration === undefined) {
    return undefined;
  }
  if (ts.isShorthandPropertyAssignment(declaration)) {
    return valueOf(checker.getShorthandAssignmentValueSymbol(declaration), checker);
  }
  if (ts.isImportSpecifier(declaration)) {
    const symbol = checker.getSymbolAtLocation(declaration.name);
    return symbol && valueOf(checker.getAliasedSymbol(symbol), checker);
  }
  if (!ts.isPropertyAssignment(declaration) && !ts.isVariableDeclaration(declaration)) {
    return undefined;
  }
  const { initializer } = declaration;
  return initializer !== undefined && ts.isIdentifier(initializer)
    ? valueOf(checker.getSymbolAtLocation(initializer), checker)
    : initializer;
};

/**
 * The first string in a value, or the one in its property `name`: the text meant for people.
 * @param {ts.Node | undefined} value
 * @param {string} [name]
 * @returns {string}
 */
const textIn = (value, name) => {
  if (value === undefined) {
    return '';
  }
  if (name === undefined && ts.isStringLiteralLike(value)) {
    return value.text;
  }
  if (ts.isPropertyAssignment(value) && value.name.getText() === name) {
    return textIn(value.initializer);
  }
  return ts.forEachChild(value, (child) => textIn(child, name) || undefined) ?? '';
};

/**
 * One client as an interface: a method per endpoint, documented from the endpoint tables.
 * @param {TypePrinter} printer
 * @param {ts.Symbol} alias V2Api or V3Api
 * @param {ts.Type} table
 */
const clientInterface = (printer, alias, table) => {
  const { checker } = printer;
  const methods = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(alias)).map((method) => {
    const row = table.getProperty(method.name);
    const parameters = row && typeOfProperty(checker.getTypeOfSymbol(row), 'parameters', checker);
    const words = new Map(
      (parameters?.getProperties() ?? []).map((parameter) => [
        parameter.name,
        textIn(valueOf(parameter, checker)),
      ]),
    );
    const [signature] = checker.getTypeOfSymbol(method).getCallSignatures();
    const [given, options] = signature?.getParameters() ?? [];
    if (signature === undefined || given === undefined || options === undefined) {
      throw new Error(`${alias.name}.${method.name} is not a call with parameters and options.`);
    }
    const givenType = checker.getNonNullableType(checker.getTypeOfSymbol(given));
    const mayBeLeftOut =
      given.valueDeclaration !== undefined &&
      ts.isParameter(given.valueDeclaration) &&
      given.valueDeclaration.questionToken !== undefined;
    const result = printer.print(
      signature.getReturnType().aliasTypeArguments?.[0] ?? awaited(signature, checker),
    );
    const optionsText = printer.print(checker.getNonNullableType(checker.getTypeOfSymbol(options)));
    return [
      comment(`${textIn(valueOf(row, checker), 'purpose')}\n\`${textIn(valueOf(row, checker), 'path')}\``),
      `${method.name}(parameters${mayBeLeftOut ? '?' : ''}: ${printer.object(givenType, words)}, `,
      `options?: ${optionsText}): Promise<${result}>;`,
    ].join('');
  });
  return `${comment(docOf(alias, checker))}export interface ${alias.name} {\n${methods.join('\n')}\n}`;
};

/**
 * @param {ts.Signature} signature
 * @param {ts.TypeChecker} checker
 */
const awaited = (signature, checker) =>
  checker.getAwaitedType(signature.getReturnType()) ?? signature.getReturnType();

/**
 * The declarations of src/library/apiTypes.ts with the clients' types written out: users of the package do not have
 * zod.
 * @returns {string}
 */
export const apiDeclarations = () => {
  const file = path.join(root, 'src/library/apiTypes.ts');
  const config = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(
    config.config,
    ts.sys,
    root,
    { incremental: false },
    undefined,
  );
  const program = ts.createProgram([file], { ...options, tsBuildInfoFile: undefined, types: ['node'] });
  const checker = program.getTypeChecker();
  const printer = new TypePrinter(checker);
  for (const source of program.getSourceFiles()) {
    const [, version] = /\/src\/toolkit\/api\/v([23])\w*\.ts$/.exec(source.fileName) ?? [];
    const module = version === undefined ? undefined : checker.getSymbolAtLocation(source);
    for (const symbol of module === undefined ? [] : checker.getExportsOfModule(module)) {
      nameObject(printer, symbol, `V${version}`);
    }
  }
  const module = checker.getSymbolAtLocation(program.getSourceFile(file) ?? failed('apiTypes.ts'));
  const exported = checker.getExportsOfModule(module ?? failed('apiTypes.ts'));
  const clients = exported.flatMap((alias) => {
    const [declaration] = alias.declarations ?? [];
    const reference = declaration && ts.isTypeAliasDeclaration(declaration) ? declaration.type : undefined;
    const [argument] = reference && ts.isTypeReferenceNode(reference) ? (reference.typeArguments ?? []) : [];
    if (argument === undefined) {
      printer.print(checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(alias)));
      return [];
    }
    return [clientInterface(printer, alias, checker.getTypeFromTypeNode(argument))];
  });
  return [...clients, ...printer.declarations.values()].join('\n\n') + '\n';
};

/**
 * Objects of the APIs keep the name the toolkit gives them: `transaction` of v3 is V3Transaction.
 * @param {TypePrinter} printer
 * @param {ts.Symbol} symbol
 * @param {string} prefix
 */
const nameObject = (printer, symbol, prefix) => {
  const { checker } = printer;
  if (symbol.valueDeclaration === undefined) {
    return;
  }
  const zod = typeOfProperty(checker.getTypeOfSymbol(symbol), '_zod', checker);
  const output = zod && typeOfProperty(zod, 'output', checker);
  const isObject =
    output !== undefined && (output.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
  if (isObject && !checker.isArrayType(output)) {
    printer.name(output, prefix + symbol.name.charAt(0).toUpperCase() + symbol.name.slice(1));
  }
};

/** @param {string} what @returns {never} */
const failed = (what) => {
  throw new Error(`The types of ${what} cannot be written out.`);
};

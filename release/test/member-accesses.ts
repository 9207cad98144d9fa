import ts from "typescript";

/** How a program comes to one member of a type that is exported. */
export interface MemberAccess {
  /** The type that has it, as an expression of types on the namespace `entry`. */
  readonly type: string;
  /** Its name. */
  readonly name: string;
}

const deepest = 6;

/**
 * Every member that our packages declare and that can be reached from an exported type without type parameters: through
 * properties, arrays, and members of unions that are told apart by `type`.
 *
 * @param folder - Of the project that has the packages installed.
 * @param file - Where the program would stand; it need not exist.
 * @param entry - What it imports.
 */
export function listMemberAccesses(folder: string, file: string, entry: string): MemberAccess[] {
  const options: ts.CompilerOptions = {
    strict: false,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  };
  const { resolvedModule } = ts.resolveModuleName(
    entry,
    file,
    options,
    ts.sys,
    undefined,
    undefined,
    ts.ModuleKind.ESNext,
  );
  if (!resolvedModule) throw new Error(`${entry} has no types`);
  const program = ts.createProgram([resolvedModule.resolvedFileName], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(resolvedModule.resolvedFileName);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${entry} exports nothing`);

  const accesses = new Map<ts.Declaration, MemberAccess>();
  const visitedTypes = new Set<ts.Type>();
  const queue: { type: ts.Type; path: string; depth: number }[] = [];
  for (const symbol of checker.getExportsOfModule(module)) {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    if (!(target.flags & ts.SymbolFlags.Type) || isGeneric(target)) continue;
    queue.push({ type: checker.getDeclaredTypeOfSymbol(target), path: `entry.${symbol.name}`, depth: 0 });
  }
  // Breadth first: what is exported itself is reached by its own name.
  for (let next = queue.shift(); next; next = queue.shift()) visit(next.type, next.path, next.depth);
  return [...accesses.values()];

  function visit(type: ts.Type, path: string, depth: number): void {
    if (depth > deepest || visitedTypes.has(type)) return;
    visitedTypes.add(type);
    const enqueue = (inner: ts.Type, innerPath: string): void =>
      void queue.push({ type: inner, path: innerPath, depth: depth + 1 });
    if (type.isUnion()) {
      for (const member of type.types) enqueue(member, narrow(checker, member, path));
      return;
    }
    const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    if (checker.isArrayLikeType(type) && element) return enqueue(element, `${path}[number]`);
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return;
    for (const property of checker.getPropertiesOfType(type)) {
      const declaration = property.valueDeclaration ?? property.declarations?.[0];
      if (!declaration || !isOurs(declaration, folder)) continue;
      if (!/^[a-z_$][\w$]*$/i.test(property.name)) continue;
      if (!accesses.has(declaration)) accesses.set(declaration, { type: path, name: property.name });
      enqueue(checker.getTypeOfSymbol(property), `${path}["${property.name}"]`);
    }
  }
}

/** A member of a union, by the text that tells it apart where it has one. */
function narrow(checker: ts.TypeChecker, member: ts.Type, path: string): string {
  for (const name of ["type", "reason"]) {
    const property = member.getProperty(name);
    const literal = property && checker.getTypeOfSymbol(property);
    if (literal?.isStringLiteral()) return `Extract<${path}, { ${name}: "${literal.value}" }>`;
  }
  return `Extract<${path}, object>`;
}

function isGeneric(symbol: ts.Symbol): boolean {
  return (symbol.declarations ?? []).some(
    (declaration) =>
      (ts.isInterfaceDeclaration(declaration) ||
        ts.isTypeAliasDeclaration(declaration) ||
        ts.isClassDeclaration(declaration)) &&
      (declaration.typeParameters?.length ?? 0) > 0,
  );
}

function isOurs(declaration: ts.Declaration, folder: string): boolean {
  const { fileName } = declaration.getSourceFile();
  return fileName.startsWith(folder) && fileName.includes("/@cloud-browser/");
}

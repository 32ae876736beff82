/**
 * The URL of a file that the build makes next to a module: what threads load, and kernels. A module that
 * runs from source in `src/` finds the one of `dist/`.
 * @param module `import.meta.url` of the module
 * @param name   file name, as `search-worker.js`
 */
export function builtFile(module: string, name: string): URL {
  const from = module.endsWith('.ts') ? module.replace(/^(.*)\/src\//s, '$1/dist/') : module
  return new URL(name, from)
}

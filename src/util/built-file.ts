/**
 * The URL of a file that the build makes for this library: what threads load, and kernels. Modules run bundled, all in one
 * folder of `dist/` (`scripts/bundle.mjs`), or from source.
 * @param path from the root of `src/`, or of `dist/`, as `parallel/search-worker.js`
 * @param here module that asks
 */
export function builtFile(path: string, here: string = import.meta.url): URL {
  // Both are one folder below the root.
  const root = new URL('..', here).href
  return new URL(path, here.endsWith('.ts') ? root.replace(/src\/$/, 'dist/') : root)
}

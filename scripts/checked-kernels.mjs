// The debug build's kernels: the same sources with every access to memory checked.

/** What each access becomes; `src/kernels/assembly/checked.ts` has them. */
const CHECKED = [
  [/(?<![\w.])load<(\w+)>\(/g, 'checkedLoad<$1>('],
  [/(?<![\w.])store<(\w+)>\(/g, 'checkedStore<$1>('],
  [/\bv128\.load\(/g, 'checkedLoad128('],
  [/\bv128\.store\(/g, 'checkedStore128('],
  [/\bv128\.load32_zero\(/g, 'checkedLoad32Zero('],
  [/\bv128\.load64_zero\(/g, 'checkedLoad64Zero('],
  [/\bv128\.load_ext<(\w+)>\(/g, 'checkedLoadExt<$1>('],
  [/\bv128\.load_lane<(\w+)>\(/g, 'checkedLoadLane<$1>('],
  [/\bmemory\.fill\(/g, 'checkedFill('],
]

/** Every other way to touch memory that the language has. */
const UNCHECKED =
  /(?<!\w)(?:load|store)(?:\d+\w*)?[<(]|\bv128\.(?:load|store)\w*|\bmemory\.\w+|\batomic\.\w+|\b[if]\d+(?:x\d+)?\.(?:load|store|atomic)\w*|\bchangetype\b/

/**
 * @param {string} name of the file, for the error
 * @param {string} source
 * @returns {string} the source with checked accesses
 * @throws {Error} where it touches memory in a way that is not known here
 */
export function checkedSource(name, source) {
  let checked = source
  for (const [access, replacement] of CHECKED) checked = checked.replaceAll(access, replacement)
  const code = checked.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  const left = UNCHECKED.exec(code)
  if (left !== null)
    throw new Error(`${name}: no check is known for [${left[0]}]: add one to checked-kernels.mjs`)
  const names = CHECKED.map(([, replacement]) => /^\w+/.exec(replacement)[0])
  return `import { ${names.join(', ')} } from './checked'\n${checked}`
}

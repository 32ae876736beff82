// Counts comments: files of src with a header comment, exports with a docstring, members of the classes of
// src/embed with one. Prints the counts and what lacks a comment, and exits with 1 below the marks.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MIN_HEADERS = 0.9
const MIN_DOCSTRINGS = 0.95
/** Entries that only re-export: what they name is described where it stands. */
const ENTRIES = new Set(['index.ts', 'server.ts'])

const root = join(dirname(fileURLToPath(import.meta.url)), '..', 'src')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts') && !file.endsWith('.d.ts') && !file.includes('generated/'))
  .sort()

const headers = { all: 0, missing: [] }
const exported = { all: 0, missing: [] }
const members = { all: 0, missing: [] }
for (const file of files) {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  headers.all++
  if (!hasHeader(lines)) headers.missing.push(file)
  if (!ENTRIES.has(file)) countExports(file, lines)
  if (file.startsWith('embed/')) countMembers(file, lines)
}
const isEnough = [
  report('files with a header', headers, MIN_HEADERS),
  report('exports with a docstring', exported, MIN_DOCSTRINGS),
  report('members of embed with a docstring', members, MIN_DOCSTRINGS),
].every(Boolean)
process.exit(isEnough ? 0 : 1)

/**
 * A comment that says what the file is: at its top, or where one thing is exported that thing's own, which
 * stands behind the imports and the constants.
 */
function hasHeader(lines) {
  const first = lines.find(line => line.trim() !== '' && !line.startsWith('#!')) ?? ''
  if (/^\/[/*]/.test(first)) return true
  return lines.some((line, i) => isMain(line) && isDocumented(lines, i))
}

function isMain(line) {
  return /^export (default )?(async )?(abstract )?(class|function\*?|interface|const|type) /.test(
    line,
  )
}

function countExports(file, lines) {
  const seen = new Set()
  lines.forEach((line, i) => {
    const [, name] =
      /^(?:@inline )?export (?:default )?(?:declare )?(?:async )?(?:abstract )?(?:class|function\*?|interface|const|let|type) (\w+)/.exec(
        line,
      ) ?? []
    // Further signatures of a function are described by the first.
    if (name === undefined || seen.has(name)) return
    seen.add(name)
    exported.all++
    if (!isDocumented(lines, i)) exported.missing.push(`${file}: ${name}`)
  })
}

/** Public members of exported classes: methods, getters and fields. */
function countMembers(file, lines) {
  let isInside = false
  const seen = new Set()
  lines.forEach((line, i) => {
    if (/^export (abstract )?class /.test(line)) {
      isInside = true
      seen.clear()
    } else if (line === '}') isInside = false
    if (!isInside) return
    const [, name] =
      /^ {2}(?:readonly |async |static |get |set |override |\*)*([a-z]\w*|\[Symbol\.\w+\])(?:[<(?:=]| =)/.exec(
        line,
      ) ?? []
    if (name === undefined || seen.has(name)) return
    seen.add(name)
    // Protocols of the language say by themselves what they are for; errors' codes are told by their class.
    if (name.startsWith('[Symbol') || name === 'constructor') return
    members.all++
    if (!isDocumented(lines, i)) members.missing.push(`${file}: ${name}`)
  })
}

/**
 * Whether a comment ends on the line before, decorators and lint directives apart. Constants that stand on
 * lines of their own one below the other share the comment above the first.
 */
function isDocumented(lines, at) {
  for (let i = at - 1; i >= 0; i--) {
    const line = lines[i].trim()
    if (line === '@inline' || line.startsWith('// biome-ignore')) continue
    if (isConstant(lines[at]) && isConstant(lines[i])) continue
    return line.endsWith('*/') || line.startsWith('//')
  }
  return false
}

function isConstant(line) {
  return /^(export )?(const|let) \w+(: [\w<>[\], ]+)? = [^{[(]*$/.test(line)
}

function report(what, { all, missing }, mark) {
  const share = all === 0 ? 1 : (all - missing.length) / all
  const percent = value => `${(100 * value).toFixed(1)} %`
  console.log(
    `${what}: ${all - missing.length} of ${all}, ${percent(share)} (at least ${percent(mark)})`,
  )
  if (share >= mark) return true
  for (const name of missing) console.error(`  without: ${name}`)
  return false
}

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const src = resolve(import.meta.dirname, '../../src')

/** What loads a module that the caller of the library names: a plugin of his own. */
const OF_PLUGINS = 'analysis/plugins.ts: import by name'

/** The ways of running a text as JavaScript, and of loading a module whose name is no literal. */
const RUNS_TEXT: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['eval', /\beval\s*\(/],
  ['Function', /\b(?:Async|Generator|AsyncGenerator)?Function\s*\(/],
  ['vm', /['"](?:node:)?vm['"]/],
  ['timer with a text', /\bset(?:Timeout|Interval|Immediate)\(\s*['"`]/],
  ['worker of a text', /\beval:\s*true/],
  ['import by name', /\bimport\(\s*[^'"\s)]/],
]

function found(text: string): string[] {
  // Comments speak of what they like.
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
  return RUNS_TEXT.filter(([, pattern]) => pattern.test(code)).map(([name]) => name)
}

it('runs no text as JavaScript: scripts, templates and patterns reach nothing of the host', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('.ts'),
  )
  expect(files.length).toBeGreaterThan(1000)
  const runners = files.flatMap(file =>
    found(readFileSync(join(src, file), 'utf8')).map(name => `${file}: ${name}`),
  )
  expect(runners).toEqual([OF_PLUGINS])
})

it.each([
  ['eval', "eval('1')"],
  ['Function', "new Function('return 1')"],
  ['Function', "AsyncFunction('await 1')"],
  ['vm', "import vm from 'node:vm'"],
  ['timer with a text', "setTimeout('1', 1)"],
  ['worker of a text', 'new Worker(text, { eval: true })'],
  ['import by name', 'await import(name)'],
])('would see %s', (name, text) => {
  expect(found(`const a = 1\n${text}\n`)).toEqual([name])
})

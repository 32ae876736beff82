import { expect, it } from 'vitest'
import { completionKeys } from '../../src/analysis/completion-keys.ts'
import { AnalysisRegistry } from '../../src/analysis/registry.ts'

const registry = new AnalysisRegistry(
  new Map(
    Object.entries({
      'index.analysis.analyzer.stopped.tokenizer': 'standard',
      'index.analysis.analyzer.stopped.filter': ['lowercase', 'stop'],
      'index.analysis.analyzer.graph.tokenizer': 'standard',
      'index.analysis.analyzer.graph.filter': ['lowercase', 'same'],
      'index.analysis.filter.same.type': 'synonym_graph',
      'index.analysis.filter.same.synonyms': ['dns, domain name system'],
    }),
  ),
)

/** Keys with `|` for the separator. */
function keysOf(
  analyzer: string,
  text: string,
  preservesSeparators = true,
  preservesIncrements = true,
): string[] {
  const options = { preservesSeparators, preservesIncrements }
  const keys = completionKeys(registry.analyzer(analyzer)!, text, options)
  return keys.map(key => key.replaceAll('\u001f', '|'))
}

it.each([
  ['simple', 'Star Wars 2', ['star|wars']],
  ['simple', '42', []],
  ['stopped', 'The Cat and the Hat', ['|cat|||hat']],
  ['stopped', 'cat of the', ['cat||']],
  ['graph', 'my DNS server', ['my|dns|server', 'my|domain|name|system|server']],
])('the keys of %s for %j are %j', (analyzer, text, keys) => {
  expect(keysOf(analyzer, text).sort()).toEqual(keys)
})

it('leaves separators and positions without tokens out where it shall', () => {
  expect(keysOf('simple', 'Star Wars', false)).toEqual(['starwars'])
  expect(keysOf('stopped', 'The Cat and the Hat', true, false)).toEqual(['cat|hat'])
  expect(keysOf('graph', 'dns', false)).toEqual(expect.arrayContaining(['dns', 'domainnamesystem']))
})

import { describe, expect, it } from 'vitest'
import { compileTemplate } from '../../../src/script/mustache/render-template.ts'
import { newScriptRun, ScriptRun } from '../../../src/script/script-run.ts'
import { readValue } from '../../../src/script/value/read-value.ts'
import { EngineError } from '../../../src/util/errors.ts'

const run = new ScriptRun({
  deadline: Number.POSITIVE_INFINITY,
  maxBytes: 1 << 25,
  isCancelled: () => false,
})

const render = (template: string, params: string = '{}', type?: string): string =>
  compileTemplate(template, type).render(readValue(Buffer.from(params)), run)

describe('a template', () => {
  it.each([
    ['{{x}}', '{"x":"a\\"b\\n"}', 'a\\"b\\n'],
    ['{{{x}}}{{&x}}', '{"x":"\\""}', '""'],
    ['{{x}}', '{"x":null}', ''],
    ['{{x}}', '{}', ''],
    ['{{x}} {{y}}', '{"x":1,"y":1.0}', '1 1.0'],
    ['{{a.b.c}}', '{"a":{"b":{"c":true}}}', 'true'],
    ['{{a.1}} {{a.size}}', '{"a":[1,2]}', '2 2'],
    ['{{a}}', '{"a":[1,"b"]}', '{0=1, 1=b}'],
    ['{{#a}}<{{.}}>{{/a}}', '{"a":[1,2]}', '<1><2>'],
    ['{{#a}}{{b}}{{c}}{{/a}}', '{"a":{"b":1},"c":2}', '12'],
    ['{{#a}}yes{{/a}}{{^a}}no{{/a}}', '{"a":false}', 'no'],
    ['{{#a}}yes{{/a}}{{^a}}no{{/a}}', '{"a":""}', 'no'],
    ['{{#a}}yes{{/a}}{{^a}}no{{/a}}', '{"a":[]}', 'no'],
    ['{{#a}}yes{{/a}}{{^a}}no{{/a}}', '{"a":0}', 'yes'],
    ['a{{! nothing }}b', '{}', 'ab'],
    ['{{=<% %>=}}<% x %>{{x}}', '{"x":1}', '1{{x}}'],
    ['a\n  {{#b}}\nc\n  {{/b}}\nd', '{"b":true}', 'a\nc\nd'],
    ['{{#toJson}}a{{/toJson}}', '{"a":{"b":[1,1.0,null,"\\""]}}', '{"b":[1,1.0,null,"\\""]}'],
    ['{{#TOJSON}}a.b{{/TOJSON}}', '{"a":{"b":"x"}}', 'x'],
    ['{{#join}}a{{/join}}', '{"a":[1,"b",true]}', '1,b,true'],
    ["{{#join delimiter='||'}}a{{/join delimiter='||'}}", '{"a":[1,2]}', '1||2'],
    ['{{#url}}{{a}}{{/url}}', '{"a":"<é ~*>"}', '%3C%C3%A9+%7E*%3E'],
    ['{{#url}}x/{{#join}}a{{/join}}{{/url}}', '{"a":["<",">"]}', 'x%2F%3C%2C%3E'],
  ])('%s with %s gives %s', (template, params, expected) => {
    expect(render(template, params)).toBe(expected)
  })

  it.each([
    ['application/json', '\\"<'],
    ['application/json; charset=UTF-8', '\\"<'],
    ['text/plain', '"<'],
    ['application/x-www-form-urlencoded', '%22%3C'],
  ])('escapes as %s', (type, expected) => {
    expect(render('{{x}}', '{"x":"\\"<"}', type)).toBe(expected)
  })

  it('finds own keys alone', () => {
    expect(render('{{__proto__}}{{constructor}}{{x.length}}', '{"x":"a"}')).toBe('')
    expect(render('{{__proto__}}', '{"__proto__":"own"}')).toBe('own')
  })

  it.each([
    ['{{x', 'Improperly closed variable in query-template:1'],
    ['a\n{{{x}}', 'Improperly closed variable in query-template:2'],
    ['{{#a}}', "Failed to close 'a' tag @[query-template:1]"],
    ['{{#a}}{{/b}}', 'Mismatched start/end tags: a != b @[query-template:1]'],
    ['{{/b}}', 'Mismatched start/end tags: null != b @[query-template:1]'],
    [
      '{{#toJson}}{{a}}b{{/toJson}}',
      'Mustache function [toJson] must contain one and only one identifier @[query-template:1]',
    ],
    [
      '{{#join}}{{/join}}',
      'Mustache function [join] must contain one and only one identifier @[query-template:1]',
    ],
    ['{{> p}}', 'Cannot include partial [p]: partials are not supported @[query-template:1]'],
    ['{{=<%=}}', 'Invalid delimiter string: <% @[query-template:1]'],
    ['{{#a}}'.repeat(200), 'Sections are nested deeper than [100] @[query-template:1]'],
  ])('%s is refused', (template, reason) => {
    expect(faultOf(() => render(template))).toMatchObject({
      type: 'script_exception',
      reason,
      extra: { script_stack: [], script: template, lang: 'mustache' },
      causedBy: { type: 'mustache_exception', reason },
    })
  })

  it('is refused with an unknown content type', () => {
    expect(faultOf(() => render('', '{}', 'text/html'))).toMatchObject({
      type: 'illegal_argument_exception',
      reason: 'No encoder found for MIME type [text/html]',
    })
  })

  it('ends where its text grows past the limit', () => {
    const list = JSON.stringify({ a: Array.from({ length: 100 }, () => 'x'.repeat(10)) })
    const template = `${'{{#a}}'.repeat(5)}{{.}}${'{{/a}}'.repeat(5)}`
    expect(faultOf(() => render(template, list))).toMatchObject({
      type: 'circuit_breaking_exception',
      reason: '[script] template limit of [16777216] exceeded',
    })
  })

  it.each([
    '{{#a}}{{#a}}{{/a}}{{/a}}',
    "{{#a}}{{#join delimiter=''}}a{{/join delimiter=''}}{{/a}}",
  ])(
    'ends where it takes too long without a text: %s',
    template => {
      const list = JSON.stringify({ a: Array.from({ length: 300_000 }, () => '') })
      const params = readValue(Buffer.from(list))
      const started = performance.now()
      const rendered = (): string => compileTemplate(template).render(params, newScriptRun())
      expect(faultOf(rendered)).toMatchObject({
        type: 'circuit_breaking_exception',
        reason: '[script] time limit of [1000] exceeded',
      })
      expect(performance.now() - started).toBeLessThan(8_000)
    },
    30_000,
  )
})

function faultOf(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    if (error instanceof EngineError) return error.record
    throw error
  }
  return null
}

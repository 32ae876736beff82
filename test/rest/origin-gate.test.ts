import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { OriginGate } from '../../src/rest/origin-gate.ts'
import { Settings } from '../../src/schema/settings.ts'

const local = new OriginGate('127.0.0.1', Settings.EMPTY)

describe('the gate of a server without passwords', () => {
  it.each([
    'localhost',
    'LOCALHOST:9200',
    'app.localhost',
    '127.0.0.1:9200',
    '10.1.2.3',
    '[::1]',
    '[::1]:9200',
  ])('lets the host %s in', host => {
    expect(() => local.check({ host })).not.toThrow()
  })

  it.each([
    'evil.example',
    'evil.example:9200',
    'localhost.evil.example',
    'evillocalhost',
    '127.0.0.1.evil.example',
    '[evil.example]',
    '',
    ' ',
    'localhost:9200:9200',
    'localhost@evil.example',
  ])('refuses the host %j', host => {
    expect(() => local.check({ host })).toThrow(/^Host header \[/)
  })

  it('answers requests without a host, which no browser sends, but no page among them', () => {
    expect(() => local.check({})).not.toThrow()
    for (const origin of ['http://localhost:9200', 'http://undefined', 'null'])
      expect(() => local.check({ origin })).toThrow(/^Origin header \[/)
  })

  it('knows the name of the machine where other machines reach it', () => {
    const host = hostname()
    const open = new OriginGate('0.0.0.0', Settings.EMPTY)
    expect(() => open.check({ host })).not.toThrow()
    expect(() => open.check({ host: 'evil.example' })).toThrow('http.allowed_hosts')
    const any = new OriginGate('0.0.0.0', new Settings([['http.allowed_hosts', ['*']]]))
    expect(() => any.check({ host: 'search.example' })).not.toThrow()
  })

  it.each([
    'https://evil.example',
    'http://localhost',
    'http://localhost:9201',
    'https://localhost:9200',
    'null',
    '',
  ])('refuses the origin %j of a page that is not its own', origin => {
    expect(() => local.check({ host: 'localhost:9200', origin })).toThrow(/^Origin header \[/)
  })

  it('lets its own pages in, and those of the settings, which may read the answer', () => {
    const origin = 'http://localhost:9200'
    expect(() => local.check({ host: 'localhost:9200', origin })).not.toThrow()
    expect(local.corsHeaders({ host: 'localhost:9200', origin })).toEqual({})
    const named = 'https://app.example'
    const gate = new OriginGate('::1', new Settings([['http.cors.allow-origin', [named]]]))
    expect(() => gate.check({ host: '[::1]', origin: named })).not.toThrow()
    expect(gate.corsHeaders({ origin: named })).toEqual({
      'access-control-allow-origin': named,
      vary: 'origin',
    })
    expect(gate.preflightHeaders('OPTIONS', { origin: named })).toBeNull()
    expect(gate.preflightHeaders('GET', { origin: named })).toBeNull()
  })
})

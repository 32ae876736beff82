import { describe, expect, it } from 'vitest'
import { paintsFor } from '../../../src/cli/drawing/paint.ts'
import { drawTokenGraph } from '../../../src/cli/drawing/token-graph.ts'

const draw = (tokens: [string, number, number?][], width = 80): string =>
  drawTokenGraph(
    tokens.map(([token, position, positionLength = 1]) => ({ token, position, positionLength })),
    width,
    paintsFor(false),
  ).join('\n')

describe('the graph of tokens', () => {
  it('draws each as an arc over the positions that it spans', () => {
    expect(
      draw([
        ['ny', 0, 2],
        ['new', 0],
        ['york', 1],
        ['hotel', 2],
      ]),
    ).toBe(
      ['╭─ new ─┬─ york ─╮', '├────── ny ──────┼─ hotel ─╮', '0       1        2         3'].join(
        '\n',
      ),
    )
  })

  it('leaves gaps where positions are empty, and makes room for wide characters', () => {
    expect(
      draw([
        ['a', 1],
        ['日本', 3],
      ]),
    ).toBe('╭─ a ─╮ ╭─ 日本 ─╮\n1     2 3        4')
  })

  it('goes on below where the width ends or positions lie far apart', () => {
    expect(
      draw(
        [
          ['one', 0],
          ['two', 1],
          ['x', 100],
        ],
        20,
      ),
    ).toBe(['╭─ one ─┬─ two ─╮', '0       1       2', '', '╭─ x ─╮', '100   101'].join('\n'))
    const lines = draw(
      Array.from({ length: 30 }, (_, i) => [`w${i}`, i] as [string, number]),
      60,
    )
    for (const line of lines.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
    expect(lines).toContain('w29')
  })

  it('cuts long tokens and prints no control characters', () => {
    expect(draw([['x'.repeat(100), 0]])).toContain(`${'x'.repeat(23)}…`)
    expect(draw([['a\u001b[31mb', 0]])).not.toContain('\u001b')
    expect(draw([])).toBe('')
  })
})

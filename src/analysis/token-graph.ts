/**
 * The graph that a text's tokens make: nodes between positions, and tokens that lead from one to
 * another. A phrase or a conjunction over such a text is asked segment by segment, between the nodes
 * that every way through the graph passes.
 */

/** The members of a token that make the graph. */
export interface GraphToken {
  readonly positionIncrement: number
  readonly positionLength: number
}

/** A token and the nodes that it leads between. */
interface Edge<Token> {
  readonly token: Token
  /** Positions taken out before it, at most, whatever it is stacked on. */
  readonly gap: number
  readonly from: number
  readonly to: number
}

/** A way through a segment. */
export interface GraphPath<Token> {
  readonly tokens: readonly Token[]
  /** Of each token: how many positions were taken out before it. */
  readonly gaps: readonly number[]
}

/** The part of the graph between two nodes that all paths pass. */
export interface GraphSegment<Token> {
  /** Whether there are ways that end elsewhere than the others' first token does. */
  readonly hasSidePath: boolean
  /** The tokens that lead out of its first node. */
  readonly tokens: readonly Token[]
  /** Positions taken out before them. */
  readonly gap: number
  readonly from: number
  /** Null for the end of the text. */
  readonly to: number | null
}

/** The ways through a text's tokens. */
export class TokenGraph<Token extends GraphToken> {
  /** By the node that they leave, in the tokens' order; only those on a way to the end. */
  readonly #leaving: readonly (readonly Edge<Token>[])[]
  readonly #end: number

  /** @param tokens in order; at least one */
  constructor(tokens: readonly Token[]) {
    const edges: Edge<Token>[] = []
    let node = -1
    let gap = 0
    let last = 0
    for (const token of tokens) {
      const { positionIncrement } = token
      // A hole belongs to the token behind it: what is stacked on that one starts there too.
      if (positionIncrement === 0) node -= gap
      else {
        node++
        gap = positionIncrement - 1
      }
      const from = Math.max(node, 0)
      const to = from + token.positionLength + gap
      edges.push({ token, gap, from, to })
      last = Math.max(last, to)
      node += gap
    }
    this.#end = last
    this.#leaving = alive(edges, last)
  }

  /** The stretches between nodes that every way passes, in order. */
  segments(): readonly GraphSegment<Token>[] {
    const segments: GraphSegment<Token>[] = []
    let farthest = 0
    let from = 0
    for (let node = 0; node <= this.#end; node++) {
      const edges = this.#leaving[node] ?? []
      // No token leads over this node: all ways meet here.
      if (node > 0 && farthest === node) {
        segments.push(this.#segment(from, node === this.#end ? null : node))
        from = node
      }
      for (const { to } of edges) farthest = Math.max(farthest, to)
    }
    return segments
  }

  #segment(from: number, to: number | null): GraphSegment<Token> {
    const edges = this.#leaving[from] ?? []
    return {
      hasSidePath: edges.some(edge => edge.to !== edges[0]?.to),
      tokens: edges.map(edge => edge.token),
      gap: edges[0]?.gap ?? 0,
      from,
      to,
    }
  }

  /**
   * The ways through a segment, or with no segment through all, in the tokens' order.
   * @param most the walk ends with one more than so many: there may be very many
   */
  paths(segment: GraphSegment<Token> | null, most: number): readonly GraphPath<Token>[] {
    const to = segment?.to ?? this.#end
    const found: GraphPath<Token>[] = []
    const tokens: Token[] = []
    const gaps: number[] = []
    // By hand: a text may have more tokens than a stack has room for.
    const stack: { readonly edges: readonly Edge<Token>[]; next: number }[] = []
    const enter = (node: number): void => {
      stack.push({ edges: this.#leaving[node] ?? [], next: 0 })
    }
    enter(segment?.from ?? 0)
    while (stack.length > 0 && found.length <= most) {
      const top = stack[stack.length - 1]!
      const edge = top.edges[top.next++]
      if (edge === undefined) {
        stack.pop()
        tokens.pop()
        gaps.pop()
        continue
      }
      tokens.push(edge.token)
      gaps.push(edge.gap)
      if (edge.to !== to) {
        enter(edge.to)
        continue
      }
      found.push({ tokens: [...tokens], gaps: [...gaps] })
      tokens.pop()
      gaps.pop()
    }
    return found
  }
}

/** Edges by the node they leave, without those on no way from the first node to the last. */
function alive<Token>(
  edges: readonly Edge<Token>[],
  last: number,
): readonly (readonly Edge<Token>[])[] {
  const reached = new Set([0])
  const byStart = [...edges].sort((a, b) => a.from - b.from)
  for (const { from, to } of byStart) if (reached.has(from)) reached.add(to)
  const leads = new Set([last])
  const byEnd = [...edges].sort((a, b) => b.to - a.to || b.from - a.from)
  for (const { from, to } of byEnd) if (leads.has(to)) leads.add(from)
  const leaving: Edge<Token>[][] = []
  for (const edge of edges) {
    if (!reached.has(edge.from) || !leads.has(edge.to)) continue
    const list = leaving[edge.from]
    if (list === undefined) leaving[edge.from] = [edge]
    else list.push(edge)
  }
  return leaving
}

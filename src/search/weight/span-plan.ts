/** A span with its terms looked up. */
export type SpanPlan =
  | { readonly kind: 'term'; readonly field: string; readonly termId: number }
  | { readonly kind: 'or'; readonly spans: readonly SpanPlan[] }
  | {
      readonly kind: 'near'
      readonly spans: readonly SpanPlan[]
      readonly slop: number
      readonly inOrder: boolean
    }
  | { readonly kind: 'gap'; readonly width: number }
  | { readonly kind: 'first'; readonly span: SpanPlan; readonly end: number }
  | {
      readonly kind: 'not'
      readonly include: SpanPlan
      readonly exclude: SpanPlan
      readonly pre: number
      readonly post: number
    }
  | { readonly kind: 'containing' | 'within'; readonly big: SpanPlan; readonly little: SpanPlan }

// A component that is drawn again only when one of its properties is another; of the named ones, if
// names are given.
import { Component } from 'preact'
import type { ComponentChildren, FunctionComponent } from 'preact'

export function memo<Props extends object>(
  draw: FunctionComponent<Props>,
  names?: (keyof Props)[],
): FunctionComponent<Props> {
  class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>) {
      const compared = names ?? (Object.keys({ ...next, ...this.props }) as (keyof Props)[])
      return compared.some((name) => next[name] !== this.props[name])
    }
    render(): ComponentChildren {
      const Draw = draw
      return <Draw {...(this.props as Props)} />
    }
  }
  return Memo as unknown as FunctionComponent<Props>
}

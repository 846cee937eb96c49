// Icons as strokes on a grid of 24 by 24. They say nothing to a screen reader: the button around
// them does.
const strokes = {
  plus: 'M12 5v14M5 12h14',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  sliders:
    'M4 7h8M18 7h2M15 4.4a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2zM4 17h2M12 17h8M9 14.4a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2z',
  send: 'M12 20V5M5.5 11.5 12 5l6.5 6.5',
  stop: 'M7 7h10v10H7z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  retry: 'M20 11a8 8 0 1 0-2.3 6.6M20 5v6h-6',
  forward: 'M5 5l8 7-8 7zM19 5v14',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13',
  left: 'M14.5 6l-6 6 6 6',
  right: 'M9.5 6l6 6-6 6',
  down: 'M6 9.5l6 6 6-6',
  clip: 'M20 11.5l-8.3 8.3a5 5 0 0 1-7-7L13 4.5a3.3 3.3 0 0 1 4.7 4.7l-8.3 8.2a1.7 1.7 0 0 1-2.3-2.3l7.6-7.6',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  close: 'M6 6l12 12M18 6L6 18',
  more: 'M5 11.2a.8.8 0 1 0 0 1.6.8.8 0 0 0 0-1.6zM12 11.2a.8.8 0 1 0 0 1.6.8.8 0 0 0 0-1.6zM19 11.2a.8.8 0 1 0 0 1.6.8.8 0 0 0 0-1.6z',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  auto: 'M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18',
  help: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 17h.01',
  tool: 'M14.5 6.5a4 4 0 0 1 5-1l-2.7 2.7 1 2 2 .1 1.2-2.6a4 4 0 0 1-5.5 5L8 20.2a2 2 0 0 1-3-3l7.7-7.5a4 4 0 0 1 1.8-3.2z',
  upload: 'M12 16V4M7 9l5-5 5 5M4 16v4h16v-4',
  download: 'M12 4v12M7 11l5 5 5-5M4 16v4h16v-4',
  chat: 'M4 5h16v11H10l-5 4v-4H4z',
  token: 'M4 8h5v8H4zM9 8h7v8H9zM16 8h4v8h-4z',
  chart: 'M4 20h16M6 16v-4M11 16V6M16 16V9',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
}

export type IconName = keyof typeof strokes

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={strokes[name]} />
    </svg>
  )
}

// The mark: a small fire.
export function Flame() {
  return (
    <svg class="flame" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12.6 2c.5 3.2-.9 4.9-2.6 6.8C8.3 10.7 6 13 6 16.2A6.1 6.1 0 0 0 12.1 22 5.9 5.9 0 0 0 18 16c0-2.3-1-4-2-5.3-.3 1.3-.9 2.2-1.9 2.9.4-4.3-.3-8.7-1.5-11.6z" />
    </svg>
  )
}

// A share as a bar: of something that is full to a degree, or of work that is done.
interface Props {
  share: number // 0 to 1
  label: string
  role?: 'meter' | 'progressbar'
}

export function Bar({ share, label, role = 'meter' }: Props) {
  const per = Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10
  return (
    <span
      class="share"
      role={role}
      aria-label={label}
      aria-valuenow={per}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <i style={{ width: `${per}%` }} />
    </span>
  )
}

// The request as commands and code, for the clipboard.
import { Button } from '@mantine/core';
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import { type CopyFormat, copyFormats, copyRequestAs } from './copy-request.ts';

type Props = { forecast: Forecast; panelId: string; onCopy: (what: string, text: string) => void };

export function CopyAsChoices({ forecast, panelId, onCopy }: Readonly<Props>) {
  return (Object.entries(copyFormats) as [CopyFormat, string][]).map(([format, name]) => (
    <Button
      key={format}
      variant="subtle"
      color="gray"
      popoverTarget={panelId}
      popoverTargetAction="hide"
      onClick={() => onCopy(`The request as ${name}`, copyRequestAs(format, forecast))}
    >
      Copy request as {name}
    </Button>
  ));
}

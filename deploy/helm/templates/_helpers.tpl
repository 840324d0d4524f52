{{/* The prefix of all names: the release's. */}}
{{- define "rainbell.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "rainbell.labels" -}}
app.kubernetes.io/name: rainbell
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "rainbell.image" -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}

{{/* What no setting may weaken: no root, no privileges, a read-only root file system. */}}
{{- define "rainbell.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "rainbell.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "rainbell.mounts" -}}
- { name: secrets, mountPath: /run/secrets/rainbell, readOnly: true }
- { name: data, mountPath: /var/lib/rainbell }
{{- end -}}

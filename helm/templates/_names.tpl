{{- define "loader-tuner.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "loader-tuner.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "loader-tuner.labels" -}}
{{ include "loader-tuner.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "loader-tuner.serviceAccount" -}}
{{- default (include "loader-tuner.name" .) .Values.serviceAccount.name -}}
{{- end -}}

{{- define "loader-tuner.claim" -}}
{{- default (include "loader-tuner.name" .) .Values.persistence.existingClaim -}}
{{- end -}}

{{- /* What values.schema.json cannot say, because it lies between two values. */ -}}
{{- define "loader-tuner.requirements" -}}
{{- $postgresql := eq .Values.database.kind "postgresql" -}}
{{- if and $postgresql (not .Values.database.postgresql.url) -}}
{{- fail "database.postgresql.url: is missing; it is jdbc:postgresql://HOST:PORT/DATABASE" -}}
{{- end -}}
{{- if and $postgresql (not .Values.database.postgresql.existingSecret) -}}
{{- fail "database.postgresql.existingSecret: is missing; it names a secret with the user's name and password" -}}
{{- end -}}
{{- if and (not $postgresql) (gt (int .Values.replicas) 1) -}}
{{- fail "replicas: must be 0 or 1 with the embedded database; set database.kind to postgresql for more" -}}
{{- end -}}
{{- if not (or .Values.access.existingSecret .Values.access.issuerUri) -}}
{{- fail "access.existingSecret: is missing; name a secret with the operator's token, or an issuer with access.issuerUri. Without either everybody in the cluster could do everything" -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) -}}
{{- fail "ingress.hosts: is empty; name at least one host, or set ingress.enabled to false" -}}
{{- end -}}
{{- if and .Values.serviceMonitor.enabled (not .Values.serviceMonitor.existingSecret) -}}
{{- fail "serviceMonitor.existingSecret: is missing; it names a secret with a viewer's token, without which every scrape is refused" -}}
{{- end -}}
{{- end -}}

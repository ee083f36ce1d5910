/**
 * The API reference in the colours of the console (`console/src/app/theme.ts`). Swagger UI has no variables of its own: the few rules
 * that give it its look are overridden, in the light scheme only, because its own dark parts would remain.
 */
export const REFERENCE_STYLE = `
  body { background: #f6f8f8 }
  .swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .opblock .opblock-summary-description,
  .swagger-ui .opblock-description-wrapper p, .swagger-ui table thead tr td, .swagger-ui table thead tr th, .swagger-ui .parameter__name,
  .swagger-ui .response-col_status, .swagger-ui .tab li, .swagger-ui section.models h4, .swagger-ui .model-title, .swagger-ui .model {
    font-family: 'Inter Variable', Inter, system-ui, sans-serif; color: #172227 }
  .swagger-ui .info { margin: 28px 0 20px }
  .swagger-ui .info .title { font-size: 1.6rem; font-weight: 640 }
  .swagger-ui .info a, .swagger-ui a.nostyle:hover { color: #086e74 }
  .swagger-ui .scheme-container { background: transparent; box-shadow: none; border-bottom: 1px solid #e1e8e8; padding: 12px 0 }
  .swagger-ui .opblock-tag { font-size: 1.05rem; font-weight: 640; border-bottom: 1px solid #e1e8e8 }
  .swagger-ui .opblock { background: #fff; border: 1px solid #e1e8e8; border-radius: 7px; box-shadow: 0 1px 2px rgb(12 40 45 / 6%) }
  .swagger-ui .opblock.opblock-get, .swagger-ui .opblock.opblock-post, .swagger-ui .opblock.opblock-put,
  .swagger-ui .opblock.opblock-patch, .swagger-ui .opblock.opblock-delete { background: #fff; border-color: #e1e8e8 }
  .swagger-ui .opblock .opblock-summary { border-color: #e1e8e8 }
  .swagger-ui .opblock .opblock-summary-method { min-width: 72px; border-radius: 5px; font-size: .8rem; text-shadow: none }
  .swagger-ui .opblock.opblock-get .opblock-summary-method { background: #086e74 }
  .swagger-ui .opblock.opblock-post .opblock-summary-method { background: #2f5bb7 }
  .swagger-ui .opblock.opblock-put .opblock-summary-method, .swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #8a5200 }
  .swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b42318 }
  .swagger-ui .opblock .opblock-section-header { background: #f6f8f8; box-shadow: none }
  .swagger-ui .btn { border-radius: 7px; box-shadow: none }
  .swagger-ui .btn.authorize { border-color: #086e74; color: #086e74 }
  .swagger-ui .btn.authorize svg { fill: #086e74 }
  .swagger-ui .btn.execute { background: #086e74; border-color: #086e74 }
  .swagger-ui section.models { border: 1px solid #e1e8e8; border-radius: 7px; background: #fff }
`;

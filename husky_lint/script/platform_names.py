"""The names that Chromium gives a page (156, at about:blank), as far as nothing here models them.

A script that uses one is not followed there. It does not fail: a name that nobody gives would be a ReferenceError.
"""

from __future__ import annotations

from typing import Final

from husky_lint.style.words import words

FUNCTIONS: Final = words(
    """
    AbortSignal AbstractRange AnalyserNode AnimationEffect AnimationTimeline AnimationTrigger AsyncDisposableStack
    Attr AudioBuffer AudioBufferSourceNode AudioData AudioDestinationNode AudioListener AudioNode AudioParam
    AudioParamMap AudioScheduledSourceNode AudioSinkInfo AudioWorkletNode BackgroundFetchManager
    BackgroundFetchRecord BackgroundFetchRegistration BarProp BaseAudioContext BigUint64Array BiquadFilterNode
    BrowserCaptureMediaStreamTrack ByteLengthQueuingStrategy CDATASection CSPViolationReportBody CSSConditionRule
    CSSContainerRule CSSCounterStyleRule CSSFontFaceRule CSSFontFeatureValuesRule CSSFontPaletteValuesRule
    CSSFunctionDeclarations CSSFunctionDescriptors CSSFunctionRule CSSGroupingRule CSSImageValue CSSImportRule
    CSSKeyframeRule CSSKeyframesRule CSSKeywordValue CSSLayerBlockRule CSSLayerStatementRule CSSMarginRule
    CSSMathClamp CSSMathInvert CSSMathMax CSSMathMin CSSMathNegate CSSMathProduct CSSMathSum CSSMathValue
    CSSMatrixComponent CSSMediaRule CSSNamespaceRule CSSNestedDeclarations CSSNumericArray CSSNumericValue
    CSSPageRule CSSPerspective CSSPositionTryDescriptors CSSPositionTryRule CSSPositionValue CSSPropertyRule
    CSSPseudoElement CSSRotate CSSRule CSSRuleList CSSScale CSSScopeRule CSSSkew CSSSkewX CSSSkewY
    CSSStartingStyleRule CSSStyleRule CSSStyleValue CSSSupportsRule CSSTransformComponent CSSTransformValue
    CSSTransition CSSTranslate CSSUnitValue CSSUnparsedValue CSSVariableReferenceValue CSSViewTransitionRule
    CanvasCaptureMediaStreamTrack CanvasGradient CanvasPattern CanvasRenderingContext2D CaretPosition
    ChannelMergerNode ChannelSplitterNode ChapterInformation CharacterData CloseWatcher Comment CompressionStream
    ConstantSourceNode ConvolverNode CountQueuingStrategy CrashReportContext CropTarget Crypto CustomElementRegistry
    CustomStateSet DOMError DOMException DOMImplementation DOMMatrixReadOnly DOMPointReadOnly DOMQuad DOMRectList
    DOMRectReadOnly DOMStringList DOMStringMap DataTransfer DataTransferItem DataTransferItemList
    DecompressionStream DelayNode DelegatedInkTrailPresenter DisposableStack DocumentType DynamicsCompressorNode
    EditContext ElementInternals EncodedAudioChunk EncodedVideoChunk EventCounts External FeaturePolicy Fence
    FencedFrameConfig File FileList Float16Array FontFace FragmentDirective GainNode Gamepad GamepadButton
    GamepadHapticActuator Geolocation GeolocationCoordinates GeolocationPosition GeolocationPositionError
    HTMLAllCollection HTMLAreaElement HTMLAudioElement HTMLBRElement HTMLBaseElement HTMLBodyElement
    HTMLCanvasElement HTMLDListElement HTMLDataElement HTMLDataListElement HTMLDetailsElement HTMLDialogElement
    HTMLDirectoryElement HTMLDivElement HTMLDocument HTMLEmbedElement HTMLFencedFrameElement HTMLFieldSetElement
    HTMLFontElement HTMLFormControlsCollection HTMLFormElement HTMLFrameElement HTMLFrameSetElement
    HTMLGeolocationElement HTMLHRElement HTMLHeadElement HTMLHeadingElement HTMLHtmlElement HTMLIFrameElement
    HTMLImageElement HTMLLIElement HTMLLabelElement HTMLLegendElement HTMLLinkElement HTMLMapElement
    HTMLMarqueeElement HTMLMediaElement HTMLMenuElement HTMLMetaElement HTMLMeterElement HTMLModElement
    HTMLOListElement HTMLObjectElement HTMLOptGroupElement HTMLOptionElement HTMLOptionsCollection HTMLOutputElement
    HTMLParagraphElement HTMLParamElement HTMLPictureElement HTMLPreElement HTMLProgressElement HTMLQuoteElement
    HTMLScriptElement HTMLSelectedContentElement HTMLSlotElement HTMLSourceElement HTMLSpanElement HTMLStyleElement
    HTMLTableCaptionElement HTMLTableCellElement HTMLTableColElement HTMLTableElement HTMLTableRowElement
    HTMLTableSectionElement HTMLTemplateElement HTMLTimeElement HTMLTitleElement HTMLTrackElement HTMLUListElement
    HTMLUnknownElement HTMLVideoElement Highlight HighlightRegistry History IDBCursor IDBCursorWithValue IDBDatabase
    IDBFactory IDBIndex IDBKeyRange IDBObjectStore IDBOpenDBRequest IDBRecord IDBRequest IDBTransaction
    IIRFilterNode IdleDeadline ImageBitmap ImageBitmapRenderingContext ImageData Ink InputDeviceCapabilities
    InputDeviceInfo IntegrityViolationReportBody IntersectionObserverEntry LargestContentfulPaint LaunchParams
    LaunchQueue LayoutShift LayoutShiftAttribution Location MathMLElement MediaCapabilities
    MediaElementAudioSourceNode MediaError MediaList MediaMetadata MediaRecorder MediaSession MediaSource
    MediaSourceHandle MediaStream MediaStreamAudioDestinationNode MediaStreamAudioSourceNode MediaStreamTrack
    MediaStreamTrackAudioStats MediaStreamTrackGenerator MediaStreamTrackProcessor MediaStreamTrackVideoStats
    MessagePort MimeType MimeTypeArray MutationRecord NamedNodeMap Navigation NavigationActivation
    NavigationDestination NavigationHistoryEntry NavigationPrecommitController NavigationTransition Navigator
    NavigatorUAData NetworkInformation NodeFilter NodeIterator NotRestoredReasonDetails NotRestoredReasons
    Observable OfflineAudioContext OffscreenCanvasRenderingContext2D Origin OscillatorNode OverconstrainedError
    PannerNode Performance PerformanceElementTiming PerformanceEntry PerformanceEventTiming
    PerformanceLongAnimationFrameTiming PerformanceLongTaskTiming PerformanceMark PerformanceMeasure
    PerformanceNavigation PerformanceNavigationTiming PerformanceObserverEntryList PerformancePaintTiming
    PerformanceResourceTiming PerformanceScriptTiming PerformanceServerTiming PerformanceTiming
    PerformanceTimingConfidence PeriodicSyncManager PeriodicWave PermissionStatus Permissions PictureInPictureWindow
    Plugin PluginArray ProcessingInstruction Profiler PushManager PushSubscription PushSubscriptionOptions
    QuotaExceededError RTCCertificate RTCDTMFSender RTCDataChannel RTCDtlsTransport RTCEncodedAudioFrame
    RTCEncodedVideoFrame RTCError RTCIceCandidate RTCIceTransport RTCPeerConnection RTCRtpReceiver
    RTCRtpScriptTransform RTCRtpSender RTCRtpTransceiver RTCSctpTransport RTCSessionDescription RTCStatsReport
    RadioNodeList Range ReadableByteStreamController ReadableStreamBYOBReader ReadableStreamBYOBRequest
    ReadableStreamDefaultController ReadableStreamDefaultReader RemotePlayback ReportBody ReportingObserver
    ResizeObserverEntry ResizeObserverSize Response RestrictionTarget SVGAElement SVGAngle SVGAnimateElement
    SVGAnimateMotionElement SVGAnimateTransformElement SVGAnimatedAngle SVGAnimatedBoolean SVGAnimatedEnumeration
    SVGAnimatedInteger SVGAnimatedLength SVGAnimatedLengthList SVGAnimatedNumber SVGAnimatedNumberList
    SVGAnimatedPreserveAspectRatio SVGAnimatedRect SVGAnimatedString SVGAnimatedTransformList SVGAnimationElement
    SVGCircleElement SVGClipPathElement SVGComponentTransferFunctionElement SVGDefsElement SVGDescElement
    SVGEllipseElement SVGFEBlendElement SVGFEColorMatrixElement SVGFEComponentTransferElement SVGFECompositeElement
    SVGFEConvolveMatrixElement SVGFEDiffuseLightingElement SVGFEDisplacementMapElement SVGFEDistantLightElement
    SVGFEDropShadowElement SVGFEFloodElement SVGFEFuncAElement SVGFEFuncBElement SVGFEFuncGElement SVGFEFuncRElement
    SVGFEGaussianBlurElement SVGFEImageElement SVGFEMergeElement SVGFEMergeNodeElement SVGFEMorphologyElement
    SVGFEOffsetElement SVGFEPointLightElement SVGFESpecularLightingElement SVGFESpotLightElement SVGFETileElement
    SVGFETurbulenceElement SVGFilterElement SVGForeignObjectElement SVGGElement SVGGeometryElement
    SVGGradientElement SVGImageElement SVGLength SVGLengthList SVGLineElement SVGLinearGradientElement
    SVGMPathElement SVGMarkerElement SVGMaskElement SVGMatrix SVGMetadataElement SVGNumber SVGNumberList
    SVGPatternElement SVGPoint SVGPointList SVGPolygonElement SVGPolylineElement SVGPreserveAspectRatio
    SVGRadialGradientElement SVGRect SVGRectElement SVGScriptElement SVGSetElement SVGStopElement SVGStringList
    SVGStyleElement SVGSwitchElement SVGSymbolElement SVGTSpanElement SVGTextContentElement SVGTextElement
    SVGTextPathElement SVGTextPositioningElement SVGTitleElement SVGTransform SVGTransformList SVGUnitTypes
    SVGUseElement SVGViewElement Sanitizer Scheduler Scheduling Screen ScreenOrientation ScriptProcessorNode
    ScrollTimeline Selection SharedStorage SharedStorageAppendMethod SharedStorageClearMethod
    SharedStorageDeleteMethod SharedStorageModifierMethod SharedStorageSetMethod SharedStorageWorklet SourceBuffer
    SourceBufferList SpeechGrammar SpeechGrammarList SpeechRecognition SpeechSynthesis SpeechSynthesisVoice
    StaticRange StereoPannerNode Storage StylePropertyMap StylePropertyMapReadOnly StyleSheet StyleSheetList
    Subscriber SuppressedError SyncManager TaskAttributionTiming TaskController TaskSignal TextDecoderStream
    TextEncoderStream TextFormat TextMetrics TextTrack TextTrackCue TextTrackCueList TextTrackList TimeRanges
    TimelineTrigger TimelineTriggerRange TimelineTriggerRangeList Touch TouchList TransformStream
    TransformStreamDefaultController TreeWalker TrustedHTML TrustedScript TrustedScriptURL TrustedTypePolicy
    TrustedTypePolicyFactory URLPattern UserActivation VTTCue ValidityState VideoColorSpace VideoFrame
    VideoPlaybackQuality ViewTimeline ViewTransition ViewTransitionTypeSet Viewport VisibilityStateEntry
    VisualViewport WaveShaperNode WebGL2RenderingContext WebGLActiveInfo WebGLBuffer WebGLFramebuffer WebGLObject
    WebGLProgram WebGLQuery WebGLRenderbuffer WebGLRenderingContext WebGLSampler WebGLShader
    WebGLShaderPrecisionFormat WebGLSync WebGLTexture WebGLTransformFeedback WebGLUniformLocation
    WebGLVertexArrayObject WebKitCSSMatrix WebKitMutationObserver WebSocketError WebSocketStream
    WindowControlsOverlay WritableStream WritableStreamDefaultController WritableStreamDefaultWriter XMLDocument
    XMLHttpRequestEventTarget XMLHttpRequestUpload XPathEvaluator XPathExpression XPathResult XSLTProcessor
    __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ close createImageBitmap find moveBy resizeBy
    webkitCancelAnimationFrame webkitMediaStream webkitRTCPeerConnection webkitRequestAnimationFrame
    webkitRequestFileSystem webkitResolveLocalFileSystemURL webkitSpeechGrammar webkitSpeechGrammarList
    webkitSpeechRecognition webkitSpeechRecognitionError webkitURL when
    """
)
"""Interfaces and functions."""

EVENTS: Final = words(
    """
    AnimationEvent AnimationPlaybackEvent AudioProcessingEvent BeforeInstallPromptEvent BeforeUnloadEvent BlobEvent
    CharacterBoundsUpdateEvent ClipboardEvent CloseEvent CommandEvent CompositionEvent
    ContentVisibilityAutoStateChangeEvent CustomEvent DocumentPictureInPictureEvent DragEvent ErrorEvent FocusEvent
    FontFaceSetLoadEvent FormDataEvent GamepadEvent HashChangeEvent IDBVersionChangeEvent InputEvent InterestEvent
    KeyboardEvent MediaEncryptedEvent MediaQueryListEvent MediaStreamEvent MediaStreamTrackEvent MessageEvent
    MouseEvent NavigateEvent NavigationCurrentEntryChangeEvent OfflineAudioCompletionEvent PageRevealEvent
    PageSwapEvent PageTransitionEvent PictureInPictureEvent PointerEvent PopStateEvent ProgressEvent
    PromiseRejectionEvent RTCDTMFToneChangeEvent RTCDataChannelEvent RTCErrorEvent RTCPeerConnectionIceErrorEvent
    RTCPeerConnectionIceEvent RTCTrackEvent SecurityPolicyViolationEvent SnapEvent SpeechRecognitionErrorEvent
    SpeechRecognitionEvent SpeechSynthesisErrorEvent SpeechSynthesisEvent StorageEvent SubmitEvent
    TaskPriorityChangeEvent TextEvent TextFormatUpdateEvent TextUpdateEvent ToggleEvent TouchEvent TrackEvent
    TransitionEvent UIEvent VirtualKeyboardGeometryChangeEvent WebGLContextEvent WheelEvent
    WindowControlsOverlayGeometryChangeEvent webkitSpeechRecognitionEvent
    """
)
"""Interfaces of events."""

VALUES: Final = words(
    """
    PERSISTENT TEMPORARY Temporal chrome clientInformation closed crashReport credentialless crossOriginIsolated
    external fence isSecureContext launchQueue length locationbar menubar navigation offscreenBuffering
    originAgentCluster personalbar scheduler screenLeft screenTop scrollbars speechSynthesis statusbar styleMedia
    toolbar trustedTypes viewport
    """
)
"""Everything else but the handlers, which are null until a script sets them."""

HANDLERS: Final = words(
    """
    abort afterprint animationcancel animationend animationiteration animationstart appinstalled auxclick
    beforeinput beforeinstallprompt beforematch beforeprint beforetoggle beforeunload beforexrselect blur cancel
    canplay canplaythrough change click close command contentvisibilityautostatechange contextlost contextmenu
    contextrestored cuechange dblclick drag dragend dragenter dragleave dragover dragstart drop durationchange
    emptied ended error focus formdata gamepadconnected gamepaddisconnected gotpointercapture hashchange input
    invalid keydown keypress keyup languagechange load loadeddata loadedmetadata loadstart lostpointercapture
    message messageerror mousedown mouseenter mouseleave mousemove mouseout mouseover mouseup mousewheel offline
    online pagehide pagereveal pageshow pageswap pause play playing pointercancel pointerdown pointerenter
    pointerleave pointermove pointerout pointerover pointerup popstate progress ratechange rejectionhandled reset
    resize scroll scrollend scrollsnapchange scrollsnapchanging search securitypolicyviolation seeked seeking select
    selectionchange selectstart slotchange stalled storage submit suspend timeupdate toggle transitioncancel
    transitionend transitionrun transitionstart unhandledrejection unload volumechange waiting webkitanimationend
    webkitanimationiteration webkitanimationstart webkittransitionend wheel
    """
)
"""Events that the window has an ``on…`` property for."""

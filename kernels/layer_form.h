/* The arithmetic of a step of a network, whatever its layer is called. Devices and libraries that
 * run whole networks keep their implementations in a table indexed by form, and a kind of layer
 * names its form in its row (networks/layer.h). So a new kind of known arithmetic runs everywhere
 * at once. */
#ifndef MAXPOOL_LAYER_FORM_H
#define MAXPOOL_LAYER_FORM_H

enum layer_form {
    FORM_NONE,    /* never a separate step */
    FORM_CONV,    /* a convolution, with weights and perhaps biases */
    FORM_LINEAR,  /* a product with weights, and biases */
    FORM_MAXPOOL, /* maxima of windows; elements outside of the image never win */
    FORM_AVERAGE, /* means of whole planes */
    FORM_COPY,    /* the unchanged input, before the residual is added and the sum clamped */
    LAYER_FORMS
};

#endif

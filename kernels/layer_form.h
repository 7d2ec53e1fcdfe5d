/* The arithmetic that a step of a network is, whatever its layer is called. Devices and libraries
 * that run whole networks keep what they have for each in a table by form, and a kind of layer
 * names its form in its row (networks/layer.h): a kind of known arithmetic runs everywhere at once.
 */
#ifndef MAXPOOL_LAYER_FORM_H
#define MAXPOOL_LAYER_FORM_H

enum layer_form {
    FORM_NONE,    /* never a step of its own */
    FORM_CONV,    /* a convolution, with weights and perhaps biases */
    FORM_LINEAR,  /* a product with weights, and biases */
    FORM_MAXPOOL, /* maxima of windows; elements outside of the image never win */
    FORM_AVERAGE, /* means of whole planes */
    FORM_COPY,    /* the input as it is, before what is added and clamped */
    LAYER_FORMS
};

#endif
